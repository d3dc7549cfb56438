"""Tests of completion in bash: tools/completion/quatsimd.bash asks the command, and an interactive bash asks it."""
import os
import pty
import re
import select
import subprocess
import time

from support.command import TOOL, Directory, run

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/completion/quatsimd.bash")
COMMANDS = run("--list-commands").stdout.split()
# Control-X t tells what the function answered, what it complained of, and the line: each ends with a NUL.
START = r"""
source "$QUATSIMD_SCRIPT"
eval "plain$(declare -f _quatsimd)"
_quatsimd() { plain_quatsimd "$@" 2>>../errors.txt; answers=("${COMPREPLY[@]}"); }
tell() {
  { printf '%s\n' "${answers[@]}"; printf '\0%s\0%s\0' "$(<../errors.txt)" "$READLINE_LINE"; } >&"$QUATSIMD_TOLD"
  answers=() READLINE_LINE=
}
cd "$QUATSIMD_FOLDER"
: >../errors.txt
bind 'set enable-bracketed-paste off'
bind '"\t": complete'
bind -x '"\C-xt": tell'
"""


class Completion(Directory):
    def setUp(self):
        """Starts a bash, whose home has the command in bin/."""
        super().setUp()
        os.makedirs(self.path("home", "bin"))
        os.mkdir(self.path("here"))
        os.symlink(os.path.abspath(TOOL), self.path("home", "bin", "quatsimd"))
        self.write("start.bash", START.encode())
        self.told, telling = os.pipe()
        self.terminal, terminal = pty.openpty()
        environment = dict(
            os.environ,
            HOME=self.path("home"),
            PATH=self.path("home", "bin") + ":" + os.environ["PATH"],
            TERM="dumb",
            INPUTRC="/dev/null",
            QUATSIMD_SCRIPT=SCRIPT,
            QUATSIMD_FOLDER=self.path("here"),
            QUATSIMD_TOLD=str(telling),
        )
        self.bash = subprocess.Popen(
            ["bash", "--noprofile", "--rcfile", self.path("start.bash"), "-i"],
            env=environment,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            pass_fds=[telling],
            start_new_session=True,
        )
        os.close(terminal)
        os.close(telling)
        self.addCleanup(self.end)

    def end(self):
        self.bash.kill()
        self.bash.wait()
        os.close(self.terminal)
        os.close(self.told)

    def ask(self, line):
        """Types the line and Tab: the words that the function answers, and the line as it is then."""
        os.write(self.terminal, line.encode() + b"\t\x18t")
        told, end = b"", time.monotonic() + 30
        while told.count(b"\0") < 3:
            ready = select.select([self.terminal, self.told], [], [], max(0, end - time.monotonic()))[0]
            self.assertTrue(ready, "bash says nothing")
            if self.terminal in ready:
                os.read(self.terminal, 4096)  # its echo
            if self.told in ready:
                told += os.read(self.told, 4096)
        answers, errors, after, _ = told.decode().split("\0")
        self.assertEqual(errors, "")
        return sorted(filter(None, answers.split("\n"))), after

    def complete(self, line):
        return self.ask(line)[0]

    def becomes(self, line, after):
        self.assertEqual(self.ask(line)[1], after)

    def file(self, name):
        with open(self.path("here", name), "wb"):
            pass

    def test_commands(self):
        self.assertEqual(self.complete("quatsimd "), sorted(COMMANDS))
        self.assertEqual(self.complete("quatsimd co"), ["compress"])
        self.assertEqual(self.complete("quatsimd help de"), ["decompress"])
        self.assertEqual(self.complete("quatsimd --help de"), ["decompress"])
        self.assertEqual(self.complete("quatsimd help compress "), [])
        self.assertEqual(self.complete("quatsimd nothing "), [])
        self.becomes("quatsimd decompr", "quatsimd decompress ")

    def test_of_a_home(self):
        """A tilde is not expanded when bash asks."""
        self.becomes("~/bin/quatsimd unp", "~/bin/quatsimd unpack ")
        self.becomes("~/bin/quatsimd compress --only=rot", "~/bin/quatsimd compress --only=rotation ")
        self.becomes("~nobody_is_called_so/bin/quatsimd unp", "~nobody_is_called_so/bin/quatsimd unp")

    def test_options_without_a_command(self):
        self.assertEqual(self.complete("quatsimd -"), ["--help", "--version", "-h"])
        self.becomes("quatsimd --ver", "quatsimd --version ")
        self.becomes("quatsimd --he", "quatsimd --help ")

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

    def test_what_is_no_option(self):
        self.file("--only.bvh")
        self.assertEqual(self.complete("quatsimd compress --on"), ["--only"])
        self.assertEqual(self.complete("quatsimd compress -- --on"), ["--only.bvh"])
        self.assertEqual(self.complete("quatsimd compress -- --only "), ["--only.bvh"])
        self.assertEqual(self.complete("quatsimd compress -o=-"), [])
        self.assertEqual(self.complete("quatsimd compress --json=-"), [])

    def test_values(self):
        self.assertEqual(self.complete("quatsimd compress --only r"), ["rotation"])
        self.assertEqual(self.complete("quatsimd compress --only="), ["rotation", "scale", "translation"])
        self.assertEqual(self.complete("quatsimd compress --only=s"), ["scale"])
        self.becomes("quatsimd compress --only=s", "quatsimd compress --only=scale ")
        self.assertEqual(self.complete("quatsimd compress --object 1cm@2m --only=s"), ["scale"])
        self.assertEqual(self.complete("quatsimd compress --order "), ["depth", "importance"])
        self.assertEqual(self.complete("quatsimd pack -f smallest3_4"), ["smallest3_48"])
        self.assertIn("all", self.complete("quatsimd measure --format "))
        self.assertEqual(self.complete("quatsimd compress --rotation "), [])

    def test_values_that_may_be_left_out(self):
        self.file("walk.bvh")
        self.assertEqual(self.complete("quatsimd compress --loop="), ["auto"])
        self.assertEqual(self.complete("quatsimd compress --loop "), ["auto", "walk.bvh"])

    def test_values_with_colons(self):
        """bash ends words at them."""
        for before in "measure -f ", "measure --format ", "measure --format=", "pack -f ", "measure --format=mirage:4 -f ":
            with self.subTest(before):
                line = "quatsimd " + before
                self.assertEqual(self.complete(line + "smallest3:1"), [str(bits) for bits in range(10, 20)])
                self.assertEqual(self.complete(line + "mirage:"), sorted(map(str, range(4, 21))))
                self.becomes(line + "smallest3:2", line + "smallest3:20 ")
                self.becomes(line + "mira", line + "mirage:")

    def test_words_that_bash_leaves_whole(self):
        """People change COMP_WORDBREAKS."""
        os.write(self.terminal, b"COMP_WORDBREAKS=${COMP_WORDBREAKS//[:=]/}\n")
        for line in "quatsimd measure -f ", "quatsimd measure --format=":
            self.becomes(line + "smallest3:2", line + "smallest3:20 ")

    def test_a_cursor_within_the_line(self):
        back = 6 * "\x02"
        self.becomes("quatsimd compress --only=s x.bvh" + back, "quatsimd compress --only=scale x.bvh")
        self.becomes("quatsimd measure -f smallest3:2 x.bvh" + back, "quatsimd measure -f smallest3:20 x.bvh")

    def test_files(self):
        self.file("a b.glb"), self.file("walk.bvh"), self.file("c=d:e.bvh"), os.mkdir(self.path("here", "folder"))
        self.assertEqual(self.complete("quatsimd compress "), ["a b.glb", "c=d:e.bvh", "folder", "walk.bvh"])
        self.assertEqual(self.complete("quatsimd compress -o f"), ["folder"])
        self.becomes("quatsimd compress -o f", "quatsimd compress -o folder/")
        self.becomes("quatsimd compress --skeleton=w", "quatsimd compress --skeleton=walk.bvh ")
        self.assertEqual(self.complete("quatsimd compress --json wa"), ["walk.bvh"])
        self.becomes("quatsimd compress a", "quatsimd compress a\\ b.glb ")
        self.becomes("quatsimd compress c=d", "quatsimd compress c=d\\:e.bvh ")
