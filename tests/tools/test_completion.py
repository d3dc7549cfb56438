"""Tests of completion in bash: tools/completion/quatsimd.bash asks the command, and bash asks it."""
import os
import re
import subprocess
import unittest

from support.command import TOOL, Directory, run

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/completion/quatsimd.bash")
COMMANDS = run("--list-commands").stdout.split()


class Completion(Directory):
    def complete(self, line):
        """What bash offers at the end of the line, which it takes apart as it does."""
        words = line.replace("=", " = ").split(" ")
        script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quatsimd; printf "%s\\n" "${COMPREPLY[@]}"'
        result = subprocess.run(
            ["bash", "-c", script, "bash", SCRIPT, TOOL, *words[1:]], cwd=self.directory, capture_output=True, encoding="utf-8", check=True,
        )
        self.assertEqual(result.stderr, "")
        return sorted(filter(None, result.stdout.split("\n")))

    def test_commands(self):
        self.assertEqual(self.complete("quatsimd "), sorted(COMMANDS))
        self.assertEqual(self.complete("quatsimd co"), ["compress"])
        self.assertEqual(self.complete("quatsimd help de"), ["decompress"])
        self.assertEqual(self.complete("quatsimd help compress "), [])
        self.assertEqual(self.complete("quatsimd nothing "), [])

    def test_every_option_of_the_help(self):
        """Those that the help shows are those that are listed."""
        for command in COMMANDS:
            if command == "help":
                continue
            with self.subTest(command):
                offered = self.complete("quatsimd %s --" % command)
                self.assertIn("--help", offered)
                text = run("help", command).stdout
                for option in offered:
                    self.assertIn(option, text)
                for line in text.splitlines():
                    words = line.replace(",", " ").split()
                    if words and words[0].startswith("-") and line.startswith("  ") and not line.startswith("   " * 3):
                        for word in words:
                            if word.startswith("--"):
                                self.assertIn(re.split("[=:]", word)[0], offered)

    def test_values(self):
        self.assertEqual(self.complete("quatsimd compress --only r"), ["rotation"])
        self.assertEqual(self.complete("quatsimd compress --only="), ["rotation", "scale", "translation"])
        self.assertEqual(self.complete("quatsimd compress --only=s"), ["scale"])
        self.assertEqual(self.complete("quatsimd compress --order "), ["depth", "importance"])
        self.assertEqual(self.complete("quatsimd pack -f smallest3_4"), ["smallest3_40", "smallest3_48"] if "smallest3_40" in run("formats").stdout else ["smallest3_48"])
        self.assertIn("all", self.complete("quatsimd measure --format "))
        self.assertEqual(self.complete("quatsimd compress --rotation "), [])

    def test_files(self):
        self.write("a b.glb", b""), self.write("walk.bvh", b""), os.mkdir(self.path("folder"))
        self.assertEqual(self.complete("quatsimd compress "), ["a b.glb", "folder", "walk.bvh"])
        self.assertEqual(self.complete("quatsimd compress -o f"), ["folder"])
        self.assertEqual(self.complete("quatsimd compress --skeleton=w"), ["walk.bvh"])
        self.assertEqual(self.complete("quatsimd compress --json wa"), ["walk.bvh"])


if __name__ == "__main__":
    unittest.main()
