"""Tests of names from outside: whatever they are made of, terminals, JSON and names of files get text without controls."""
import json
import os
import subprocess
import unicodedata

from support.command import TOOL, run
from support.compressing import Case, animation
from support.gltf import glb_of, gltf_tree

# Control characters, C1, those that turn the direction of text, and bytes that are no UTF-8.
BAD = "\x01\x1b[31m\x7f\x80\x85\x9b\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\udcff\udcc3("
NAME = "a%sb" % BAD
BYTES = {"\udcff": "\\xFF", "\udcc3": "\\xC3"}
REPLACED = "a" + "".join(c if c in "[31m(" else BYTES.get(c, "\ufffd") for c in BAD) + "b"
FILE = REPLACED.replace("\\", "_")  # as a file's name


class Names(Case):
    def clean(self, text):
        """Decoded strictly, and nothing but text."""
        text = text.decode() if isinstance(text, bytes) else text
        found = [c for c in text if c not in "\n\t" and (unicodedata.category(c) in ("Cc", "Cs") or c in BAD and not c.isascii())]
        self.assertEqual(found, [], repr(text))
        return text

    def call(self, *arguments, status=0):
        result = run(*arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        self.clean(result.stderr)
        return self.clean(result.stdout)

    def file(self, name):
        """A .glb that has such names of everything; the JSON has bytes, not escapes."""
        nodes, curves = animation(2, 9)
        nodes[0]["name"] = NAME
        tree, content = gltf_tree(nodes, {NAME: curves})
        text = json.dumps(tree, ensure_ascii=False)
        for c in "\x01\x1b\x7f":  # as escapes alone
            text = text.replace(c, "\\u%04x" % ord(c))
        return self.put(name, glb_of(text.encode("utf-8", "surrogateescape"), content))

    def test_every_command(self):
        file = self.file("in/%s.glb" % NAME)
        bundle, parts = self.out(REPLACED + ".qsb"), self.path("parts")
        self.assertIn(REPLACED, self.call("compress", "-o", self.out(), self.path("in")))
        self.assertEqual(os.listdir(self.out()), [os.path.basename(bundle)])
        self.assertIn("up to date", self.call("compress", "-o", self.out(), self.path("in")))
        self.call("compress", "-o", self.out(), "--report", self.path("page.html"), self.path("in"))
        self.assertIn(json.dumps(REPLACED, ensure_ascii=False), self.clean(self.content("page.html")))
        made = json.loads(self.call("info", "--json", bundle))[0]["making"]["files"][0]
        self.assertEqual((made["name"], made["clips"][0]["clip"]), (REPLACED + ".glb", REPLACED))
        self.assertIn("\ufffd", self.call("extract", bundle, "-o", parts))
        clip = os.path.join(parts, FILE + ".qsc")
        self.call("extract", bundle, REPLACED, "-o", clip)
        self.assertEqual(sorted(os.listdir(parts)), sorted([FILE + ".qsc", "skeleton.qsk"]))
        for arguments in (
            ["compress", "--time", "0", file],
            ["compress", "-o", self.out(), file],
            ["info", clip],
            ["info", bundle],
            ["verify", bundle, REPLACED, "--against", file],
            ["verify", clip, "--against", file],
            ["verify", self.out(), "--against", file],
            ["measure", "--no-speed", file],
            ["import", file, self.path("curves")],
        ):
            for json_too in [], ["--json"]:
                with self.subTest(arguments[0], json=json_too):
                    text = self.call(*arguments[:1], *json_too, *arguments[1:])
                    if json_too:
                        json.loads(text)
                    self.assertIn("\ufffd" if arguments[0] != "import" or json_too else "curves", text)
        for above, folders, names in os.walk(os.fsencode(self.path("curves"))):
            for name in folders + names:
                self.clean(name)
        self.call("decompress", bundle, "-o", self.path("new.glb"))
        self.call("decompress", clip, "-o", self.path("arrays"))
        self.assertEqual(json.loads(self.clean(self.content("arrays", "joints.json")))[0]["name"], REPLACED)

    def test_complaints(self):
        for arguments in (
            ["compress", NAME],
            [NAME],
            ["help", NAME],
            ["measure", "--" + NAME],
            ["measure", "--format", NAME, "x"],
            ["info", NAME],
            ["compress", "--rotation", NAME, "x"],
            ["verify", NAME, "-a", NAME],
            ["import", NAME, NAME],
        ):
            result = run(*arguments)
            self.assertIn(REPLACED, self.clean(result.stderr))

    def test_two_become_one(self):
        """Names that differ in nothing but what is replaced."""
        for name in "a\x01.glb", "a\x02.glb":
            self.file("in/" + name)
        self.assertIn("has the same name as", self.compress(self.path("in"), status=1).stderr)

    def test_names_are_cut_between_characters(self):
        nodes, curves = animation(2, 9)
        self.put("in/x.glb", glb_of(*gltf_tree(nodes, {"x" + 150 * "\u00e9": curves})))
        self.compress(self.path("in"))
        self.good("extract", self.out("x.qsb"), "-o", self.path("parts"))
        self.assertIn("x" + 99 * "\u00e9" + ".qsc", os.listdir(self.path("parts")))
        command = "%s measure --no-speed %s" % (TOOL, self.put("in/x%s.glb" % (60 * "\u00e9"), glb_of(*gltf_tree(nodes, {"a": curves}))))
        self.assertIn("x" + 19 * "\u00e9" + "\r", self.terminal(command, "xterm"))

    def terminal(self, command, kind):
        """What a command writes on a terminal of a kind."""
        environment = dict(os.environ, TERM=kind)
        return subprocess.run(["script", "-qc", command, "/dev/null"], stdout=subprocess.PIPE, env=environment).stdout.decode()

    def test_dumb_terminals(self):
        """They get no escapes, others do."""
        file = self.file("in/x.glb")
        for arguments in ["measure", "--no-speed", file], ["compress", "--time", "0", file]:
            for terminal in "dumb", "xterm":
                shown = self.terminal(" ".join([TOOL, *arguments]), terminal)
                self.assertEqual("\x1b" in shown, terminal != "dumb", shown)
                self.assertIn("\ufffd", self.clean(shown.replace("\r", "")) if terminal == "dumb" else "\ufffd")
