"""Credentials that are known by their own form, whatever stands around them.

Every pattern begins at a literal (the prefilter) and every repetition is bounded or possessive, so
that a search takes time in proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from project_memory.secrets.values import is_fake, is_password, is_published, is_random


@dataclass(frozen=True, slots=True)
class Found:
    """One secret in a text: the span to hide, and the rule that knows it."""

    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True, eq=False)
class Format:
    """One credential format.

    Attributes:
        rule: Stable kebab-case name.
        literals: Texts of which one must be present before the pattern is tried.
        pattern: Matches the credential; a group `body` is its random part, if not all of it.
    """

    rule: str
    literals: tuple[str, ...]
    pattern: str


def _shaped(rule: str, literals: str, pattern: str) -> Format:
    return Format(rule, tuple(literals.split()), pattern)


def _prefixed(rule: str, prefixes: str, body: str) -> Format:
    """Return a format of the shape prefix + body, where the body is random."""
    either = "|".join(re.escape(prefix) for prefix in prefixes.split())
    pattern = rf"(?<![A-Za-z0-9])(?:{either})(?P<body>{body})(?![A-Za-z0-9])"
    return _shaped(rule, prefixes, pattern)


_PREFIXED = (
    ("aws-access-key", "AKIA ASIA ABIA ACCA", "[A-Z2-7]{16}+"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9]{36,255}+"),
    ("github-token", "github_pat_", "[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    (
        "gitlab-token",
        "glpat- gldt- glrt- glptt- glft- glcbt- glimt- glagent- gloas- glsoat- GR1348941",
        r"[\w-]{20,300}+(?:\.[\w.]{4,40}+)?",
    ),
    (
        "slack-token",
        "xoxb- xoxp- xoxa- xoxs- xoxr- xoxo- xoxe- xoxe. xoxc- xoxd- xapp-",
        r"[\w.%-]{20,300}+",
    ),
    (
        "stripe-key",
        "sk_live_ rk_live_ sk_test_ rk_test_ whsec_ sk_org_",
        "[A-Za-z0-9+/=_]{16,250}+",
    ),
    ("anthropic-key", "sk-ant-", r"[\w-]{24,250}+"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"[\w-]{40,300}+"),
    ("openai-key", "sk-", "[A-Za-z0-9]{32,64}+"),
    ("openrouter-key", "sk-or-v1-", "[0-9a-f]{48,80}+"),
    ("google-key", "AIza", r"[\w-]{35}"),
    ("google-oauth", "GOCSPX- ya29. 1//0", r"[\w.-]{20,500}+"),
    ("huggingface-token", "hf_ api_org_", "[A-Za-z]{30,60}+"),
    ("pypi-token", "pypi-AgE", r"[\w-]{50,1000}+"),
    ("npm-token", "npm_", "[A-Za-z0-9]{36,64}+"),
    ("sendgrid-key", "SG.", r"[\w-]{16,40}\.[\w-]{16,80}+"),
    ("twilio-key", "SK AC", "[0-9a-f]{32}+"),
    ("mailgun-key", "key- pubkey-", "[0-9a-z]{32}+"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_ shpua_", "[0-9a-fA-F]{32}+"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", "[0-9a-f]{64}+"),
    ("databricks-token", "dapi", "[0-9a-f]{32}(?:-[0-9])?"),
    ("vault-token", "hvs. hvb. hvr.", r"[\w-]{20,400}+"),
    ("doppler-token", "dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit.", r"[\w.-]{20,80}+"),
    ("terraform-token", "atlasv1.", r"[\w-]{50,100}+"),
    ("grafana-token", "glsa_ glc_", r"[A-Za-z0-9+/]{28,400}+(?:_[0-9a-f]{8})?={0,2}"),
    ("newrelic-key", "NRAK- NRIQ- NRII- NRAA-", r"[\w-]{24,64}+"),
    ("atlassian-token", "ATATT3 ATCTT3 ATBB ATSTT3", r"[\w=-]{20,300}+"),
    ("notion-token", "ntn_ secret_", "[A-Za-z0-9]{40,60}+"),
    ("linear-key", "lin_api_ lin_oauth_", "[A-Za-z0-9]{32,80}+"),
    ("figma-token", "figd_ figu_", r"[\w-]{32,80}+"),
    ("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("postman-key", "PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"),
    ("square-token", "sq0atp- sq0csp- EAAAE", r"[\w-]{22,80}+"),
    ("docker-token", "dckr_pat_ dckr_oat_", r"[\w-]{24,60}+"),
    ("rubygems-key", "rubygems_", "[0-9a-f]{48}+"),
    ("crates-token", "cio", "[A-Za-z0-9]{32}"),
    ("nuget-key", "oy2", "[a-z0-9]{43}"),
    ("artifactory-key", "AKCp cmVmdGtu", "[A-Za-z0-9]{50,80}+"),
    ("sonar-token", "sqp_ squ_ sqa_", "[0-9a-f]{40}"),
    ("sentry-token", "sntrys_ sntryu_", "[A-Za-z0-9+/=_]{40,400}+"),
    ("tailscale-key", "tskey-", r"[a-z]{2,12}-[A-Za-z0-9-]{16,80}+"),
    (
        "cloud-token",
        "nfp_ sbp_ pul- fo1_ vercel_ fm2_ rnd_ railway_ CCIPAT_ bkua_ dt0c01. exa_",
        r"[\w.+/=-]{24,400}+",
    ),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w.=-]{32,64}+"),
    (
        "model-provider-key",
        "gsk_ r8_ pplx- xai- pcsk_ lsv2_pt_ lsv2_sk_ nvapi- fw_ tgp_v1_ jina_ voyage-ai-",
        r"[\w-]{30,150}+",
    ),
    ("age-key", "AGE-SECRET-KEY-1", "[0-9A-Z]{40,70}+"),
    ("alibaba-key", "LTAI", "[A-Za-z0-9]{16,24}+"),
    ("tencent-key", "AKID", "[A-Za-z0-9]{32}"),
    ("brevo-key", "xkeysib- xsmtpsib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("facebook-token", "EAA", "[A-Za-z0-9]{60,300}+"),
    ("plaid-token", "access-sandbox- access-development- access-production-", "[0-9a-f-]{36}"),
    ("onepassword-token", "ops_eyJ", r"[\w=+/-]{100,2000}+"),
    ("dropbox-token", "sl.", r"[\w-]{100,300}+"),
    ("contentful-token", "CFPAT-", r"[\w-]{40,50}+"),
    ("sourcegraph-token", "sgp_", "[0-9a-f_]{40,80}+"),
)

_SHAPES = (
    (
        "json-web-token",
        "eyJ",
        r"(?<![\w-])eyJ[\w-]{8,4000}+\.(?P<body>[\w-]{0,8000}+\.[\w-]{16,1000}+[\w.-]{0,8000}+)",
    ),
    (
        "slack-webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<body>[\w/]{30,120}+)",
    ),
    ("discord-webhook", "/api/webhooks/", r"/api/webhooks/\d{15,22}/(?P<body>[\w-]{50,90}+)"),
    ("teams-webhook", ".webhook.office.com", r"/webhookb2/(?P<body>[\w@/-]{60,300}+)"),
    (
        "discord-token",
        "M N O",
        r"(?<![\w.-])[MNO][\w-]{23,27}\.(?P<body>[\w-]{6}\.[\w-]{27,42}+)(?![\w.])",
    ),
    ("telegram-token", ":AA", r"(?<!\d)(?P<body>\d{8,10}:AA[\w-]{33})(?![\w-])"),
    (
        "azure-key",
        "AccountKey= SharedAccessKey= AccessKey=",
        r"AccessKey=(?P<body>[A-Za-z0-9+/]{40,90}+={0,2})",
    ),
    ("azure-key", "AccountKey=", r"AccountKey=(?P<body>[A-Za-z0-9+/]{40,90}+={0,2})"),
    ("azure-key", "Q~", r"(?<![\w.~])[\w.~-]{3}[0-9]Q~(?P<body>[\w.~-]{31,34}+)"),
    ("azure-signature", "sig=", r"(?<![A-Za-z0-9])sig=(?P<body>[A-Za-z0-9%+/]{40,120}+)"),
    ("mailchimp-key", "-us", r"(?<![0-9A-Za-z])(?P<body>[0-9a-f]{32})-us\d{1,2}(?!\w)"),
    (
        "terraform-token",
        ".atlasv1.",
        r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.(?P<body>[\w-]{50,100}+)",
    ),
    (
        "encoded-private-key",  # the three ways that Base64 spells PRIVATE after -----BEGIN
        "LS0tLS1CRUdJTi",
        r"LS0tLS1CRUdJTi[\w+/]{1,40}?(?:UFJJVkFUR|BSSVZBVE|QUklWQVRF)(?P<body>[\w+/=]{40,9000}+)",
    ),
)

_FORMATS = (*(_prefixed(*row) for row in _PREFIXED), *(_shaped(*row) for row in _SHAPES))
_BY_LITERAL = tuple((literal, known) for known in _FORMATS for literal in known.literals)
_LONG_RUN = re.compile(r"[A-Za-z0-9_+-]{16}")
_UNLIKE_WORDS = re.compile(r"[0-9]|[a-z][A-Z]|[A-Z]{8}")
_PRIVATE = re.compile(
    r"-----BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----"
)
_END = "-----END"
_BASE64_LINE = re.compile(r"[A-Za-z0-9+/=]{32,}+")
_PUTTY = re.compile(r"Private-Lines: {0,2}\d{1,4}\s{1,4}[A-Za-z0-9+/=]{32,}+")
_URL = re.compile(
    r"://(?P<user>[^\s/:@\"'<>`]{0,128}+):(?P<value>[^\s/\"'<>`]{1,256})@(?=[\w\[${%])"
)


def formats(text: str) -> Iterator[Found]:
    """Yield the credentials of a known form."""
    words = [word for word in text.split() if len(word) >= 20]
    likely = [word for word in words if _LONG_RUN.search(word) and _UNLIKE_WORDS.search(word)]
    long_words = "\n".join(likely)
    if long_words:
        possible = [known for literal, known in _BY_LITERAL if literal in long_words]
        for known in dict.fromkeys(possible):
            # `re` keeps what it compiled; most patterns are never needed.
            for match in re.finditer(known.pattern, text, re.ASCII):
                if _is_genuine(match["body"]) and not is_published(match[0]):
                    yield Found(match.start(), match.end(), known.rule)


def private_keys(text: str) -> Iterator[Found]:
    """Yield private keys: a PEM or PuTTY header with at least a line of its body.

    The header alone is worth writing about ("the file must begin with -----BEGIN ...").
    """
    if "PRIVATE KEY" in text or "Static key" in text:
        for match in _PRIVATE.finditer(text):
            end = text.find(_END, match.end(), match.end() + 20_000)
            stop = end if end >= 0 else min(len(text), match.end() + 5_000)
            line = _BASE64_LINE.search(text, match.end(), min(stop, match.end() + 600))
            if line and not is_fake(line[0]):
                yield Found(match.start(), stop, "private-key")
    if "Private-Lines:" in text:
        for match in _PUTTY.finditer(text):
            yield Found(match.start(), match.end(), "private-key")


def url_credentials(text: str) -> Iterator[Found]:
    """Yield passwords between ``//user:`` and ``@host``."""
    if "://" in text and "@" in text:
        for match in _URL.finditer(text):
            value = unquote(match["value"])
            if value != match["user"] and is_password(value):
                yield Found(*match.span("value"), "url-credentials")


def _is_genuine(body: str) -> bool:
    drawn = any(c.isdigit() for c in body) or body.isupper() or is_random(body)
    return drawn and not is_fake(body)
