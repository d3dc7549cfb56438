"""Clips, skeletons and bundles that are cut, damaged, or of later versions: what every command says of them."""
from support.clips import Clips

import bundle as bundle_model


def flipped(content, at, by=1):
    """With another byte."""
    content = bytearray(content)
    content[at] ^= by
    return bytes(content)


def sealed(kind, content):
    """With the checksum that its bytes have, of a bundle those of its head and table."""
    sum_of = content[8 : 144 if kind == "bundle" else len(content)]
    return content[:4] + bundle_model.xxhash.xxh32(sum_of).intdigest().to_bytes(4, "little") + content[8:]


class Broken(Clips):
    def parts(self):
        """{kind: (its ending, the file)}; the bundle does not say how it was made, so that it has five sections."""
        bundle, folder = self.path("hero.qsb"), self.path("parts")
        self.good("compress", "-o", bundle, self.hero())
        self.good("extract", bundle, "-o", folder)
        clips = [self.path("parts", name) for name in ("walk.qsc", "wave.qsc")]
        self.good("bundle", "--skeleton", self.path("parts", "skeleton.qsk"), "-o", self.path("plain.qsb"), *clips)
        names = {"clip": "parts/walk.qsc", "skeleton": "parts/skeleton.qsk", "bundle": "plain.qsb"}
        return {kind: (name[-4:], bytes(self.content(name))) for kind, name in names.items()}

    def test_each_kind(self):
        heads = {"clip": (32, 12, 50, 3), "skeleton": (44, 36, 60, 1), "bundle": (24, 16, 60, 2)}  # sizes; a count; any byte; the version
        for kind, (ending, good) in self.parts().items():
            head, count, place, version = heads[kind]
            for name, content, says in (
                ("empty", b"", "the file is empty"),
                ("text", b"some text that is none of these, longer than a head", "not a %s: %ss begin with " % (kind, kind)),
                ("magic", b"QX", "not a %s: %ss begin with " % (kind, kind)),
                ("later", good[:3] + bytes([version + 1]) + good[4:], "the %s has version %d; this quatsimd reads" % (kind, version + 1)),
                ("mark", good[:4], "too short for a %s: it has 4 bytes" % kind),
                ("short", good[: head - 1], "too short for a %s: it has %d bytes" % (kind, head - 1)),
                ("cut", good[:-1], "the {} is cut off: it has {:,} bytes, and its head says {:,}".format(kind, len(good) - 1, len(good))),
                ("more", good + b"\0", "the file goes on after the %s: it has {:,} bytes".format(len(good) + 1) % kind),
                ("damaged", flipped(good, place), "the %s is damaged: its checksum should be " % kind),
                ("inside", sealed(kind, flipped(good, count, 77)), "the %s is broken" % kind),
            ):
                path = self.write(name + ending, content)
                with self.subTest(kind, name=name):
                    result = self.bad(1, "info", path, says="quatsimd: %s: %s" % (path, says))
                    self.assertEqual((result.stdout, result.stderr.count("\n")), ("", 1))
                    if kind == "clip":
                        self.bad(1, "verify", path, "-a", self.path("hero.gltf"), says=path + ": " + says)
                    if kind == "skeleton":
                        self.bad(1, "compress", "--skeleton", path, self.path("hero.gltf"), says="quatsimd: %s: %s" % (path, says))

    def test_pointers(self):
        """Of Git's large file storage, in the place of any input."""
        self.parts()
        pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 4096\n" % 0
        made = {end: self.write("pointer" + end, pointer) for end in (".qsb", ".qsc", ".qsk", ".npy", "")}
        clip, out = self.path("parts", "walk.qsc"), self.path("out")
        for arguments, ending in (
            *((["info", path], end) for end, path in made.items() if end != ".npy"),
            *((["verify", made[end], "-a", self.path("hero.gltf")], end) for end in (".qsb", ".qsc")),
            *((["decompress", made[end], "-o", out], end) for end in (".qsb", ".qsc")),
            (["extract", made[".qsb"], "-o", out], ".qsb"),
            (["bundle", "--skeleton", made[".qsk"], "-o", self.path("new.qsb"), clip], ".qsk"),
            (["bundle", "--skeleton", self.path("parts", "skeleton.qsk"), "-o", self.path("new.qsb"), made[".qsc"]], ".qsc"),
            (["compress", "--skeleton", made[".qsk"], self.path("hero.gltf")], ".qsk"),
            *(([command, "-f", "cube32", made[".npy"], self.path("new.npy")], ".npy") for command in ("pack", "unpack")),
        ):
            with self.subTest(arguments):
                says = "quatsimd: %s: is not the file itself, but a pointer of Git LFS" % made[ending]
                self.assertEqual(self.bad(1, *arguments, says=says).stderr.count("\n"), 1)

    def test_bundles(self):
        """Their parts."""
        good = self.parts()["bundle"][1]
        later = sealed("bundle", flipped(good, 24 + 24 * 4, good[24 + 24 * 4] ^ 9))
        for name, content, says in (
            ("later", later, "the bundle has parts that only a later quatsimd reads"),
            ("clip", flipped(good, -40), 'clip "wave" of the bundle: the clip is damaged'),
            ("tail", good[:-1] + b"\1", "the bundle is damaged: a checksum is not that of the bytes"),
            ("part", flipped(good, 200), "the bundle is damaged: its checksum should be"),
        ):
            with self.subTest(name):
                path = self.write(name + ".qsb", content)
                self.bad(1, "info", path, says="quatsimd: %s: %s" % (path, says))

    def test_several(self):
        """The others are shown."""
        parts = self.parts()
        empty, cut, other = self.write("empty", b""), self.write("cut", parts["clip"][1][:-1]), self.path("parts", "wave.qsc")
        walk = self.path("parts", "walk.qsc")
        for path, says in ("/dev/null", "not a regular file"), (self.path("none"), "cannot open: No such file"):
            self.bad(1, "info", path, says="quatsimd: %s: %s" % (path, says))
            self.bad(1, "verify", path, "-a", self.path("hero.gltf"), says=path + ": " + says)
        result = self.bad(1, "info", empty, walk, cut, other, says=[empty, "cut off"])
        self.assertEqual([line.split(":")[0] for line in result.stdout.splitlines() if " format version " in line], [walk, other])
        self.assertFalse(result.stdout.startswith("\n"))
        listed = self.json("info", empty, walk, other, status=1)
        self.assertEqual([entry["file"] for entry in listed], [walk, other])
