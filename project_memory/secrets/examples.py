"""Values that look like secrets and are known to be none."""

_DIGESTS = """
0011cc25eb432071 00cf4c781dc37003 02091175c1ae3023 051d093c4bdedbf2 055671f8eca86240
08831f80b56414a9 0b5dd075ccdd03c4 0d7e920845ed3423 0df3a31d8bb54d63 0e9d220616f08345
1021ad463a161d69 12ac0768ffb7ede0 13d31e961a1ad8ec 2478754061b350ab 293257ab6495ebb1
2cafc0970149a84f 3543c50b0cb9cea8 4c20e6f5cc11b937 53f5da0aaa93d64c 5c28b2022dca14af
649e1f5c769e718b 6aa14267d94944e6 6c96130f130ab0d6 6d7fa4e64d4b1f3e 73f71af093fdf154
797c0ce414586cc8 7e8a30c801002173 7e8de44ea9ecf6d5 80f8b7c904d4a43f 82e74299544e0073
8d567eb88afff34f 8f400c257611ed5d 94eb7a80f07d44a4 986c0dc956dc822b 9c846fdf0fa8955c
9d03b692e941d5ac a35b81a7d7927b70 a3a9e1ed9732cab2 a3e5e2d0b256b382 a5376fd5132f463a
a71b359a87afde13 aa6547439583c3a2 ac9265e56c79b234 ad71fb4165536675 b87dad10a32a2d81
b8d69d96a01ffbe0 b8e148545b13c78b bb9b1163338b2a51 bc3ae723f57c6b9e bdfeaef44475711c
c20fbc2b96183894 c3d6f56b667ef613 ca7459e2b26776de cb87c87e4a138d9a cf4d418ed3de92d7
d167410a16865cd6 d9bf94f9b7432f05 da1bdd7b73490f4e e4da07ad200089ce e5855ff48799c52c
e9974c507d2a8021 ea9bdfd02c0c412c eaa5581c2e8d2f44 f011b9ea0b25d86a f2bf5681609f469a
f2d6ca16515033e5 f5375a46365089a8
"""
VENDOR_EXAMPLES = frozenset(_DIGESTS.split())
"""First 16 hexadecimal digits of the SHA-256 of keys, signatures and ids that are published: in
vendors' documentation, in RFC 5849, 6749, 6750, 7515 and 7617, by local emulators. Digests, so
that no scanner (this one included) finds the keys here."""

_WORDS = """
a abc access admin administrator api app azerty bar baseball battery baz change changeit
changeme correct db default demo dev dragon dummy example fake foo football geheim guest here
horse hunter iloveyou is key letmein local localhost login mariadb me minio mock mongo monkey
my mysql none not null open opensesame pass passphrase passwd password passwort postgres
postgresql princess private pw pwd qux qwerty qwertz rabbitmq raspberry real redis root rosebud
sa sample scott secret secreto secrets sekret sekrit service sesame shared some staging staple
string sunshine super supersecret swordfish test testing text the this tiger token toor top
troubador trustn trustno undefined user username vagrant value very welcome your
"""
FAKE_WORDS = frozenset(_WORDS.split())
"""Words that well-known fake passwords are made of."""
