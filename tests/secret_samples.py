"""Texts that hold a credential and texts that only look so, made at run time from a seed.

No literal here has the form of a credential, and none that is made is a real one.
"""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable

LETTERS = string.ascii_letters
DIGITS = string.digits
ALNUM = LETTERS + DIGITS
UPPER = string.ascii_uppercase + DIGITS
LOWER = string.ascii_lowercase + DIGITS
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
BASE64 = ALNUM + "+/"
URLSAFE = ALNUM + "-_"

Draw = Callable[[str, int], str]


def drawing(seed: int) -> Draw:
    """Return a function that draws n characters of an alphabet."""
    generator = random.Random(seed)
    return lambda alphabet, n: "".join(generator.choice(alphabet) for _ in range(n))


def password(draw: Draw, n: int = 14) -> str:
    """Return a password as managers make them: at least one of each class."""
    return draw(LETTERS, n - 4) + draw(DIGITS, 2) + draw("!#%*+=~", 1) + draw(LETTERS, 1)


def encoded(text: str) -> str:
    """Return Base64 of a text."""
    return base64.b64encode(text.encode()).decode()


def token(draw: Draw) -> str:
    """Return a JSON Web Token."""
    parts = ({"alg": "RS256", "typ": "JWT", "kid": draw(HEX, 8)}, {"sub": draw(DIGITS, 6)})
    dotted = ".".join(encoded(json.dumps(part)).rstrip("=") for part in parts)
    return f"{dotted}.{draw(URLSAFE, 86)}"


def known_forms(draw: Draw) -> dict[str, str]:
    """Return credentials that their own form gives away, by rule and variant."""
    return {
        "aws-access-key": "AKIA" + draw(BASE32, 16),
        "aws-access-key temporary": "key ASIA" + draw(BASE32, 16) + " expired",
        "github-token": "ghp_" + draw(ALNUM, 36),
        "github-token server": "ghs_" + draw(ALNUM, 36),
        "github-token fine": f"github_pat_{draw(ALNUM, 22)}_{draw(ALNUM, 59)}",
        "gitlab-token": "glpat-" + draw(URLSAFE, 20),
        "gitlab-token runner": "glrt-" + draw(URLSAFE, 20),
        "slack-token": f"xoxb-{draw(DIGITS, 12)}-{draw(DIGITS, 13)}-{draw(ALNUM, 24)}",
        "slack-token user": f"xoxp-{draw(DIGITS, 11)}-{draw(DIGITS, 11)}-{draw(HEX, 32)}",
        "slack-token app": f"xapp-1-A{draw(UPPER, 10)}-{draw(DIGITS, 13)}-{draw(HEX, 64)}",
        "slack-webhook": "https://hooks.slack.com/services/"
        f"T{draw(UPPER, 8)}/B{draw(UPPER, 8)}/{draw(ALNUM, 24)}",
        "stripe-key": "sk_live_" + draw(ALNUM, 24),
        "stripe-key restricted": "rk_live_" + draw(ALNUM, 99),
        "stripe-key webhook": "whsec_" + draw(ALNUM, 32),
        "openai-key": f"sk-{draw(ALNUM, 20)}T3BlbkFJ{draw(ALNUM, 20)}",
        "openai-key project": f"sk-proj-{draw(URLSAFE, 74)}T3BlbkFJ{draw(URLSAFE, 74)}",
        "openai-key service": f"sk-svcacct-{draw(URLSAFE, 58)}T3BlbkFJ{draw(URLSAFE, 58)}",
        "anthropic-key": f"sk-ant-api03-{draw(URLSAFE, 93)}AA",
        "openrouter-key": "sk-or-v1-" + draw(HEX, 64),
        "google-key": "AIza" + draw(URLSAFE, 35),
        "google-oauth": "GOCSPX-" + draw(URLSAFE, 28),
        "google-oauth access": "ya29." + draw(URLSAFE, 120),
        "huggingface-token": "hf_" + draw(LETTERS, 34),
        "pypi-token": "pypi-AgEIcHlwaS5vcmc" + draw(URLSAFE, 140),
        "npm-token": "npm_" + draw(ALNUM, 36),
        "sendgrid-key": f"SG.{draw(URLSAFE, 22)}.{draw(URLSAFE, 43)}",
        "twilio-key": "SK" + draw(HEX, 32),
        "mailgun-key": "key-" + draw(HEX, 32),
        "mailchimp-key": draw(HEX, 32) + "-us14",
        "shopify-token": "shpat_" + draw(HEX, 32),
        "digitalocean-token": "dop_v1_" + draw(HEX, 64),
        "databricks-token": "dapi" + draw(HEX, 32),
        "vault-token": "hvs." + draw(URLSAFE, 90),
        "doppler-token": "dp.pt." + draw(ALNUM, 43),
        "terraform-token": f"{draw(ALNUM, 14)}.atlasv1.{draw(URLSAFE, 67)}",
        "grafana-token": f"glsa_{draw(ALNUM, 32)}_{draw(HEX, 8)}",
        "newrelic-key": "NRAK-" + draw(UPPER, 27),
        "atlassian-token": f"ATATT3xFfGF0{draw(URLSAFE, 170)}={draw(UPPER, 8)}",
        "notion-token": "ntn_" + draw(ALNUM, 46),
        "linear-key": "lin_api_" + draw(ALNUM, 40),
        "figma-token": "figd_" + draw(URLSAFE, 40),
        "airtable-token": f"pat{draw(ALNUM, 14)}.{draw(HEX, 64)}",
        "postman-key": f"PMAK-{draw(HEX, 24)}-{draw(HEX, 34)}",
        "square-token": "sq0atp-" + draw(URLSAFE, 22),
        "docker-token": "dckr_pat_" + draw(URLSAFE, 27),
        "rubygems-key": "rubygems_" + draw(HEX, 48),
        "crates-token": "cio" + draw(ALNUM, 32),
        "sonar-token": "squ_" + draw(HEX, 40),
        "tailscale-key": f"tskey-auth-{draw(ALNUM, 12)}CNTRL-{draw(ALNUM, 32)}",
        "planetscale-token": "pscale_tkn_" + draw(URLSAFE, 43),
        "model-provider-key": "gsk_" + draw(ALNUM, 52),
        "model-provider-key replicate": "r8_" + draw(ALNUM, 37),
        "model-provider-key pplx": "pplx-" + draw(ALNUM, 48),
        "model-provider-key xai": "xai-" + draw(ALNUM, 80),
        "age-key": "AGE-SECRET-KEY-1" + draw(UPPER, 58),
        "alibaba-key": "LTAI" + draw(ALNUM, 20),
        "brevo-key": f"xkeysib-{draw(HEX, 64)}-{draw(ALNUM, 16)}",
        "azure-key": "DefaultEndpointsProtocol=https;AccountName=logs;"
        f"AccountKey={draw(BASE64, 86)}==;EndpointSuffix=core.windows.net",
        "azure-key bus": "Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=Root;"
        f"SharedAccessKey={draw(BASE64, 43)}=",
        "azure-key application": f"{draw(ALNUM, 3)}8Q~{draw(URLSAFE, 34)}",
        "azure-signature": "https://logs.blob.core.windows.net/c/f?sv=2022-11-02&sp=r&"
        f"sig={draw(ALNUM, 40)}%2B{draw(ALNUM, 2)}%3D",
        "json-web-token": token(draw),
        "json-web-token in a cookie": f"Set-Cookie: session={token(draw)}; HttpOnly",
        "discord-token": f"bot M{draw(ALNUM, 23)}.{draw(ALNUM, 6)}.{draw(URLSAFE, 38)}",
        "discord-webhook": "https://discord.com/api/webhooks/"
        f"{draw(DIGITS, 18)}/{draw(URLSAFE, 68)}",
        "telegram-token": f"{draw('123456789', 10)}:AA{draw(URLSAFE, 33)}",
    }


def private_keys(draw: Draw) -> dict[str, str]:
    """Return private keys as files, JSON and configuration spell them."""
    lines = "\n".join(draw(BASE64, 64) for _ in range(3))
    kinds = ("RSA ", "EC ", "OPENSSH ", "DSA ", "", "ENCRYPTED ")
    made = {
        f"private-key {kind}": f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n"
        f"-----END {kind}PRIVATE KEY-----"
        for kind in kinds
    }
    begin, end = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"
    return made | {
        "private-key json": json.dumps({"private_key": f"{begin}\n{lines}\n{end}\n"}),
        "private-key yaml": f"tls.key: |\n  {begin}\n  {draw(BASE64, 64)}\n  {end}",
        "private-key cut off": f"{begin}\n{draw(BASE64, 64)}\n{draw(BASE64, 40)}",
        "private-key with headers": "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
        f"DEK-Info: AES-128-CBC,{draw(HEX, 32).upper()}\n\n{lines}\n-----END RSA PRIVATE KEY-----",
        "private-key static": "-----BEGIN OpenVPN Static key V1-----\n"
        f"{draw(HEX, 32)}\n{draw(HEX, 32)}\n-----END OpenVPN Static key V1-----",
        "private-key pgp": "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n"
        f"{lines}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----",
        "encoded-private-key": encoded(f"-----BEGIN RSA PRIVATE KEY-----\n{lines}"),
        "encoded-private-key ec": encoded(f"-----BEGIN EC PRIVATE KEY-----\n{lines}"),
    }


def urls(draw: Draw) -> dict[str, str]:
    """Return URLs with a password."""
    return {
        "url postgres": f"postgres://app:{draw(ALNUM, 16)}@db.internal:5432/app",
        "url postgresql": f"DATABASE_URL=postgresql+psycopg://app:{draw(ALNUM, 12)}@10.0.0.5/app",
        "url mysql": f"mysql://root:{password(draw).replace('#', '-')}@localhost/shop",
        "url mongo": f"mongodb+srv://svc:{draw(ALNUM, 18)}@cluster0.abcde.mongodb.net/?w=1",
        "url redis": f"redis://:{draw(ALNUM, 24)}@cache:6379/0",
        "url amqp": f"amqps://worker:{draw(ALNUM, 20)}@mq.example.org/vhost",
        "url git": f"git clone https://deploy:{draw(ALNUM, 20)}@git.example.org/team/app.git",
        "url encoded": f"ftp://backup:{draw(ALNUM, 8)}%40{draw(ALNUM, 4)}7@files.example.org",
        "url query": f"https://api.example.org/v1/items?api_key={draw(ALNUM, 32)}&page=2",
        "url access token": f"https://api.example.org/me?access_token={draw(ALNUM, 40)}",
    }


def assignments(draw: Draw) -> dict[str, str]:
    """Return secrets named by the key before them, in the styles of many languages."""
    return {
        "env": f"DB_PASSWORD={draw(ALNUM, 16)}",
        "env quoted": f"export DB_PASSWORD='{password(draw)}'",
        "env secret": f"AWS_SECRET_ACCESS_KEY={draw(BASE64, 40)}",
        "env key": f"DATADOG_API_KEY={draw(HEX, 32)}",
        "env vendor key": f"WEATHER_KEY={draw(ALNUM, 32)}",
        "env prefix": f"PGPASSWORD={draw(ALNUM, 12)} psql -h db",
        "env crlf": f"HOST=db\r\nREDIS_PASSWORD={draw(ALNUM, 20)}\r\nPORT=1",
        "yaml": f"database:\n  user: app\n  password: {draw(ALNUM, 16)}\n",
        "yaml quoted": f'client_secret: "{draw(URLSAFE, 32)}"',
        "yaml block": f"password: >-\n  {draw(ALNUM, 20)}\n",
        "yaml next line": f"password:\n  {draw(ALNUM, 20)}\n",
        "json": json.dumps({"user": "app", "password": password(draw)}),
        "json camel": json.dumps({"clientSecret": draw(ALNUM, 40)}),
        "json in json": json.dumps(json.dumps({"apiKey": draw(ALNUM, 32)})),
        "toml": f'[db]\npassword = "{password(draw)}"',
        "ini": f"[client]\npassword = {draw(ALNUM, 14)}",
        "properties": f"spring.datasource.password={draw(ALNUM, 14)}",
        "python": f'conn = connect(user="app", password="{draw(ALNUM, 12)}")',
        "python constant": f'SECRET_KEY = "{draw(ALNUM + "!@#$%^&*(-_=+)", 50)}a1"',
        "python environment": f'os.environ["API_TOKEN"] = "{draw(ALNUM, 32)}"',
        "python annotation": f'api_key: str = "{draw(ALNUM, 32)}"',
        "python dict": f"settings = {{'secret_key': '{draw(HEX, 64)}'}}",
        "javascript": f"const apiKey = '{draw(ALNUM, 32)}';",
        "javascript object": f"  authToken: `{draw(ALNUM, 40)}`,",
        "typescript": f'const token: string = "{draw(ALNUM, 32)}"',
        "go": f'password := "{draw(ALNUM, 16)}"',
        "ruby": f":password => '{draw(ALNUM, 16)}'",
        "php": f"define('DB_PASSWORD', '{draw(ALNUM, 16)}');",
        "java": f'.setPassword("{draw(ALNUM, 16)}")',
        "rust": f'let secret = "{draw(ALNUM, 24)}";',
        "csharp": f"Server=db;Database=shop;User Id=sa;Password={draw(ALNUM, 14)};Encrypt=true",
        "xml": f"<password>{draw(ALNUM, 14)}</password>",
        "xml attribute": f'<add key="ApiSecret" value="{draw(ALNUM, 24)}" />',
        "shell flag": f"mytool login --password {draw(ALNUM, 14)}",
        "shell flag with sign": f"mytool login --token={draw(ALNUM, 30)}",
        "curl user": f"curl -u admin:{draw(ALNUM, 12)} https://nexus.example.org/",
        "mysql flag": f"mysql -u root -p{draw(ALNUM, 12)} shop",
        "sshpass": f"sshpass -p '{draw(ALNUM, 12)}' ssh root@10.0.0.7",
        "netrc": f"machine git.example.org login bob password {draw(ALNUM, 16)}",
        "npmrc": f"//registry.example.org/:_authToken={draw(ALNUM, 36)}",
        "docker": json.dumps(
            {"auths": {"r.example.org": {"auth": encoded(f"bob:{password(draw)}")}}}
        ),
        "markdown": f"**Password:** `{draw(ALNUM, 14)}`",
        "markdown table": f"| admin password | {draw(ALNUM, 14)} |",
        "header": f"X-Api-Key: {draw(ALNUM, 40)}",
        "bearer": f"Authorization: Bearer {draw(ALNUM, 40)}",
        "bearer lower": f"'authorization': 'bearer {draw(URLSAFE, 43)}'",
        "basic": f"Authorization: Basic {encoded(f'admin:{password(draw)}')}",
        "private token": f"PRIVATE-TOKEN: {draw(ALNUM, 20)}",
        "terraform": f'variable "db_password" {{ default = "{draw(ALNUM, 16)}" }}',
        "kubernetes": f"stringData:\n  admin-password: {draw(ALNUM, 20)}",
        "kubernetes variable": f"- name: DB_PASSWORD\n  value: {draw(ALNUM, 16)}",
        "json name and value": f'{{"name":"API_TOKEN","value":"{draw(ALNUM, 32)}"}}',
        "kubernetes data": f"data:\n  password: {encoded(password(draw, 18))}",
        "dockerfile": f"ENV DB_PASSWORD {draw(ALNUM, 16)}",
        "docker option": f"docker run -e POSTGRES_PASSWORD={draw(ALNUM, 16)} postgres",
        "powershell": f'$password = ConvertTo-SecureString "{draw(ALNUM, 16)}" -AsPlainText',
        "wrapped": f'token = SecretStr("{draw(ALNUM, 32)}")',
        "default": f'os.environ.get("DB_PASSWORD", "{draw(ALNUM, 16)}")',
        "otpauth": f"otpauth://totp/app:bob?secret={draw(BASE32, 30)}27&issuer=app",
        "cookie": f"Cookie: JSESSIONID={draw(HEX, 32).upper()}",
        "wireless": f'network={{ ssid="office" psk="{draw(ALNUM, 14)}" }}',
        "uuid token": f"NPM_TOKEN={uuid.UUID(draw(HEX, 32), version=4)}",
        "glued": f"smtpuser=app smtppass={draw(ALNUM, 14)}",
        "openssl": f"openssl enc -passin pass:{draw(ALNUM, 14)}",
        "wireguard": f"[Interface]\nPrivateKey = {draw(BASE64, 43)}=",
        "kubectl": f"kubectl create secret generic db --from-literal=password={draw(ALNUM, 14)}",
        "short key": f"DB_PASS={draw(ALNUM, 14)}",
        "ldap": f"bindpw={draw(ALNUM, 14)}",
        "human": f"db_password={draw('ABCDEFGHKLM', 1)}utumn20{draw('123456789', 2)}!",
        "uuid": f"HEROKU_API_KEY={uuid.UUID(draw(HEX, 32), version=4)}",
        "connection string": f"jdbc:mysql://db/app?user=app&password={draw(ALNUM, 14)}&ssl=true",
    }


def prose(draw: Draw) -> dict[str, str]:
    """Return secrets that a sentence tells."""
    return {
        "prose is": f"The admin password is {draw(ALNUM, 12)} for the staging box",
        "prose for": f"password for the staging database: {draw(ALNUM, 12)}",
        "prose was": f"the root password was {password(draw)}, rotate it.",
        "prose with": f"log in as root with password {draw(ALNUM, 12)} and restart",
        "prose set": f"we set the password of the replica to {draw(ALNUM, 14)}.",
        "prose quoted": f"use the passphrase '{draw(ALNUM, 16)}' to unlock the disk",
        "prose code": f"The API key is `{draw(ALNUM, 32)}` until Friday",
        "prose token": f"CI used the deploy token {draw(ALNUM, 40)} for this",
        "prose before": f"{draw(ALNUM, 14)} is the admin password",
        "prose before as": f"use {draw(ALNUM, 32)} as the API token",
        "prose near": f"the secret that we put there last week, {draw(ALNUM, 40)}, leaked",
        "prose pwd": f"pwd {draw(ALNUM, 12)}",
        "prose colon": f"Password: {draw(ALNUM, 10)}",
        "prose pair": f"credentials: admin / {draw(ALNUM, 14)}",
        "prose dash": f"root password - {draw(ALNUM, 14)}",
        "prose note": f"password (staging): {draw(ALNUM, 14)}",
        "prose wallet": f"the private key 0x{draw(HEX, 64)} was committed",
        "prose next line": f"the admin password is:\n{draw(ALNUM, 14)}",
        "prose russian": f"пароль от базы: {draw(ALNUM, 12)}",
        "prose chinese": f"数据库密码是{draw(ALNUM, 12)}。",
        "prose german": f"Das Passwort lautet {draw(ALNUM, 12)}",
        "prose french": f"le mot de passe est {draw(ALNUM, 12)}",
        "prose spanish": f"la contraseña es {draw(ALNUM, 12)}",
    }


def secrets(seed: int) -> dict[str, str]:
    """Return a text with a credential for each name."""
    draw = drawing(seed)
    groups = (known_forms, private_keys, urls, assignments, prose)
    return {name: text for group in groups for name, text in group(draw).items()}


def references() -> list[str]:
    """Return assignments whose value only says where the secret comes from."""
    return [
        "password: ${DB_PASSWORD}",
        "password: $DB_PASSWORD",
        "password=%DB_PASSWORD%",
        "PASSWORD={{ vault_db_password }}",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "api_key: <your-api-key>",
        "api_key: YOUR_API_KEY",
        "API_KEY=your-api-key-here",
        "api_key = 'REPLACE_ME_WITH_KEY'",
        "password: '********'",
        "password: changeme",
        "password = 'hunter2'",
        "password='correct horse battery staple'",
        "password: correcthorsebatterystaple",
        'password = "P@ssw0rd123!"',
        "password: s3cr3t",
        "POSTGRES_PASSWORD=postgres",
        "MYSQL_ROOT_PASSWORD: example",
        "secret = get_secret('prod/db')",
        "password = getpass.getpass()",
        "token = os.environ['GITHUB_TOKEN']",
        "token = os.getenv('CI_JOB_TOKEN_V2')",
        "const apiKey = process.env.OPENAI_API_KEY",
        'password = System.getenv("DB_PASSWORD_2024")',
        "token = response.json()['access_token']",
        "password = config.database.password",
        "password: str = Field(min_length=12)",
        "password: Option<SecretString>",
        "token: CancellationToken",
        "secret_key: SecretStr | None = None",
        "password: !vault |",
        "password: ENC[AES256_GCM,data:p673w==,iv:YY=,tag:UQ==,type:str]",
        "password: op://Private/Database/password",
        "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
        "password_file: /run/secrets/db_password",
        "password: /run/secrets/db_password",
        "export TOKEN=$(cat /run/secrets/token)",
        "export TOKEN=`vault read -field=token secret/ci`",
        "Authorization: Bearer <token>",
        "Authorization: Bearer ${TOKEN}",
        "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE",
        "curl -H 'Authorization: Bearer $TOKEN' https://api.example.org",
        "curl -u user:password https://example.org",
        "curl -u $USER:$PASSWORD https://example.org",
        "mysql -u root -p shop < dump.sql",
        "docker run -p 8080:8080 -p 127.0.0.1:5432:5432 app",
        "postgres://user:password@localhost:5432/db",
        "postgres://postgres:postgres@db/app",
        "postgresql://app:${DB_PASSWORD}@db/app",
        "https://<user>:<password>@git.example.org/x.git",
        "https://x-access-token:$GITHUB_TOKEN@github.com/team/app.git",
        "redis://:changeme@cache:6379/0",
        "amqp://guest:guest@localhost:5672/",
        "git@github.com:team/app.git",
        "ssh://git@github.com:22/team/app.git",
        "sk-" + "x" * 48,
        "ghp_" + "x" * 36,
        "ghp_" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "api_key = 'a1b2c3d4e5f6a7b8c9d0'",
        "api_key: " + "550e8400-e29b-41d4-a716-446655440000",
        "password = 'Ch4ngeM3!' or 'Admin@123' or 'Welcome1' or 'pa55word' or 'sup3rs3cr3t'",
        "secret='s3cr3t-value'; token='dummy-token-123'; api_key='test-key-123456'",
        "password regex: ^(?=.*[A-Z])(?=.*[0-9]).{8,64}$",
        'password: "{cipher}' + "0a1b9c8d7e6f" * 3 + '"',
        "the token starts with eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9 and ends at the signature",
        'localStorage.setItem("access_token", response.data.token)',
        "PASSWORD_RESET_TIMEOUT = 259200",
        "pwd: /home/runner/app-2024/build-7f3a",
        "AKIA" + "X" * 16,
        "sk_live_" + "...",
        "xoxb-your-bot-token-goes-here",
        "https://hooks.slack.com/services/" + "T00000000/B00000000/" + "X" * 24,
        "use a token such as ghp_<36 characters>",
        "api_key=" + "0123456789abcdef" * 2,
        "token=" + "abcdefghijklmnopqrstuvwxyz",
        "secret=" + "0" * 32,
        "[redacted: password-assignment] was here; password: [redacted: password-in-prose]",
    ]


def documented() -> list[str]:
    """Return example keys from vendors' documentation, in two pieces each."""
    return [
        "AKIA" + "IOSFODNN7EXAMPLE",
        "aws_access_key_id = AKIA" + "IOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI" + "/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc",
        "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
        (
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkw"
            "IiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ."
            "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
        ),
        "Authorization: Basic QWxhZGRpbjpv" + "cGVuIHNlc2FtZQ==",
        "Authorization: Basic czZCaGRSa3F0" + "MzpnWDFmQmF0M2JW",
        (
            "AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSR"
            "Z6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
        ),
        "client_secret=" + "7Fjfp0ZBr1KtDRbnfVdmIw",
        "xoxb-" + "not-a-real-token-at-all",
    ]


def identifiers(draw: Draw) -> list[str]:
    """Return hashes, ids and checksums, also beside words that announce secrets."""
    sha1, sha256, sha512 = (draw(HEX, n) for n in (40, 64, 128))
    digest = base64.b64encode(bytes.fromhex(sha512)).decode()
    short = base64.b64encode(bytes.fromhex(sha256)).decode()
    made = uuid.UUID(draw(HEX, 32), version=4)
    return [
        f"Fixed in commit {sha1} by bisecting.",
        f"the sha1 of the password {sha1} is in the breach list",
        f"the token refresh was fixed in commit {sha1}",
        f"secret rotation landed in {sha1[:12]}; see the password reset in {sha1[20:27]}",
        f"Request id {made} appears in the log.",
        f"the token endpoint logged request id {made}",
        f"integrity sha512-{digest}",
        f'"integrity": "sha512-{digest}",',
        f"golang.org/x/crypto v0.21.0 h1:{short}",
        f'checksum = "{sha256}"',
        f"image: registry.example.org/auth/token-service@sha256:{sha256}",
        f"pip install auth-token==1.2.3 --hash=sha256:{sha256}",
        f"deploy key fingerprint is SHA256:{short.rstrip('=')}",
        f"password hash: $2b$12${draw(ALNUM, 53)}",
        f"password_hash = '{draw(HEX, 64)}'",
        f"token_sha256: {sha256}",
        f"public_key: {draw(BASE64, 44)}",
        f"GET /v1/users/{draw(HEX, 24)}/profile returned 404",
        f"GET /v1/tokens/{draw(HEX, 24)} returned 401",
        f"https://example.org/password/reset/{made}",
        f"https://docs.google.com/document/d/{draw(URLSAFE, 44)}/edit describes the token flow",
        f"trace 00-{draw(HEX, 32)}-{draw(HEX, 16)}-01",
        f"traceparent: 00-{draw(HEX, 32)}-{draw(HEX, 16)}-01 on the auth service",
        f"Idempotency-Key: {made}",
        f"cache_key={sha256}",
        f"cache key linux-node-{sha256}",
        f"next_page_token={draw(ALNUM, 40)}",
        f'{{"nextPageToken": "{draw(ALNUM, 60)}"}}',
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{draw(BASE64, 43)} deploy@host",
        f"deploy key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{draw(BASE64, 43)}",
        f"-----BEGIN CERTIFICATE-----\nMIID{draw(BASE64, 60)}\n-----END CERTIFICATE-----",
        f"-----BEGIN PUBLIC KEY-----\nMIIB{draw(BASE64, 60)}\n-----END PUBLIC KEY-----",
        f"certificate-authority-data: {encoded('-----BEGIN CERTIFICATE-----' + draw(BASE64, 60))}",
        f"pk_live_{draw(ALNUM, 24)} is publishable",
        f'color #{draw(HEX, 8)}; etag W/"{draw(HEX, 32)}"',
        f"resolved https://registry.example.org/token/-/token-1.2.3.tgz#{sha1}",
        f"pod auth-token-{draw(LOWER, 9)}-{draw(LOWER, 5)} restarted",
        f"data:image/png;base64,iVBORw0KGgo{draw(BASE64, 120)}",
        f"the secret default-token-{draw(LOWER, 5)} is mounted",
        f"AROA{draw(BASE32, 16)} is the role's id",
        f"session id {draw(HEX, 32)} in the access log",
        f"build {draw(DIGITS, 12)} of account 123456789012",
    ]


def lessons() -> list[str]:
    """Return sentences about secrets, as lessons on a code base have them."""
    return [
        "The access token expires after one hour; refresh with the refresh token endpoint.",
        "The class AbstractSingletonProxyFactoryBeanConfigurationManagerImpl is deprecated.",
        "http://localhost:8080/callback?code=example&state=abc",
        "migrations/0042_add_secret_rotation_table.py creates secret_rotation(id, rotated_at)",
        "label area:auth kind:bug context:testing confidence=0.9371625",
        "Token budget: 200000 tokens per request; the cache key is `v2:{tenant}:{hash}`",
        "password='hunter2' was in the fixture and is intentionally fake",
        "Bearer authentication requires the header `Authorization: Bearer <token>`",
        "the password is case-sensitive and must have 12+ characters, one of them in [A-Z]",
        "password: required, password: optional, password: string, password=True, secret: false",
        "the password is hashed with argon2id, before that with PBKDF2-HMAC-SHA256",
        "the token is base64-encoded JSON; the secret is utf-8; the key is RFC7517-conformant",
        "passwords are stored as sha512crypt; pass -p to prompt for the password",
        "never log the password; the token was logged by RequestLoggingMiddlewareV2",
        "set AWS_SECRET_ACCESS_KEY and AWS_ACCESS_KEY_ID in the environment of the runner",
        "the API key lives in 1Password under `ops/datadog`, the secret in vault secret/data/app",
        "token_type: bearer, token_url: https://auth.example.org/oauth2/token",
        "secretName: db-credentials-prod, secret_id: prod/db/password",
        "max_tokens=4096, stop_token=50256, eos_token: </s>, pad_token_id=0",
        "fuzz.token_sort_ratio('fuzzy wuzzy was a bear', 'wuzzy fuzzy was a bear')",
        "CSRF token missing or incorrect: csrf_token is read from the X-CSRFToken header",
        "JSONDecodeError at token 1024: unexpected token '}' in position 65536",
        "pass_filenames: false, pass_zero: object = True, passed=12, failed=0",
        "tests pass: 1234 of 1234; pass 2024-01-15; pass CVE-2024-12345 to --ignore-vuln",
        "the private key must begin with -----BEGIN PRIVATE KEY----- on its own line",
        "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
        "auth: oauth2 with PKCE; auth=HTTPBasicAuth(user, password); Authorization: Basic",
        "see docs/auth/token-rotation-2024-03.md and src/auth/passwordResetV2Handler.ts:128",
        "password reset e-mails went to admin@example.org; token owner is ops@example.org",
        "пароль: обязателен, минимум 12 символов; токен действует 24 часа",
        "密码长度必须大于 12 个字符；令牌 24 小时后过期",
        "API key not valid. Please pass a valid API key. [reason: API_KEY_INVALID]",
        "keyword arguments: key=lambda item: item.name, sort_keys=True, primary_key=True",
        "the signing key rotates every 90d; kid=2024-03-01; key size 2048 or 4096 bits",
        "secret scanning push protection blocked commit; use git filter-repo --replace-text",
    ]


def benign(seed: int) -> list[str]:
    """Return texts without any credential."""
    return [*references(), *documented(), *identifiers(drawing(seed)), *lessons()]
