"""compress: the work of `quatsimd compress` on many files, shared out over threads, processes or machines.

Each share is a run of the command in a process of its own, which makes a bundle of some files; then these are joined. The shares
depend on the files alone, so the bytes are the same whatever ran them."""
import collections
import concurrent.futures
import ctypes
import glob
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import typing

from . import _declarations as c
from ._library import Error, check, find, lib
from ._load import sentences

ENDINGS = (".gltf", ".glb", ".vrm", ".vrma", ".bvh", ".fbx")
SHARE_FILES, SHARE_BYTES = 32, 1 << 23  # of one share, at most; a larger file is one by itself
OPTIONS = (
    *("additive", "allow_outside", "animation", "ignore_unmatched", "loop", "object", "only", "order", "rate"),
    *("reader_memory", "reader_seconds", "release", "rotation", "scale", "skeleton", "track", "translation"),
)


class Failure(typing.NamedTuple):
    """A file, or an animation in it, that failed. `reason` is as in docs/command.md, or "worker": its process ended, twice."""

    file: str
    reason: str
    message: str


class Compressed(typing.NamedTuple):
    """The bundle that compress wrote. Failures are of animations beyond their bound, and with partial=True of those left out."""

    path: str
    bytes: int
    files: int
    clips: int
    failures: list
    messages: str  # that are no failures


class CompressError(Error):
    """Some files or animations cannot be compressed; `failures` lists them. Nothing is written."""

    def __init__(self, failures):
        listed = "\n".join(failure.message for failure in failures[:10])
        more = f"\nand {len(failures) - 10} more" if len(failures) > 10 else ""
        super().__init__(f"{len(failures)} failed:\n{listed}{more}", c.QUATSIMD_ERROR_BAD_ARGUMENT)
        self.failures = failures


# ---- a share ----


class Part(typing.NamedTuple):
    """The result of a share."""

    status: int
    bundle: bytes  # empty: none was made
    folder: str  # that it was in
    report: dict
    messages: str


def run_share(arguments, recipe):
    """Runs the command on some files, on any machine that has this package and the files. recipe: its text, or None."""
    with tempfile.TemporaryDirectory(prefix="quatsimd-") as folder:
        folder = os.path.realpath(folder)
        path, operand = os.path.join(folder, "part.qsb"), os.path.join(folder, "recipe.json")
        if recipe is not None:
            pathlib.Path(operand).write_text(recipe, encoding="utf-8")
            arguments = [*arguments, operand]
        script = str(pathlib.Path(__file__).with_name("_run.py"))
        command = [sys.executable, "-IS", script, find("quatsimd_command"), "compress", "--json", "--partial", "-o", path, *arguments]
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, creationflags=flags)
        if done.returncode not in (0, 1, 2):
            raise ChildProcessError(f"the command ended with status {done.returncode}: {sentences(done.stderr)}")
        bundle = pathlib.Path(path).read_bytes() if os.path.exists(path) else b""
        report = json.loads(done.stdout) if done.stdout else {}
        return Part(done.returncode, bundle, folder, report, sentences(done.stderr))


def run_all(executor, tasks, progress):
    """The parts of all tasks, each run again once if its worker is lost; or the exception of the second run."""
    parts, waiting = [None] * len(tasks), {}
    spare = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1)  # in place of a pool that is broken

    def start(number, attempt):
        try:
            future = executor.submit(run_share, *tasks[number][:2])
        except (RuntimeError, concurrent.futures.BrokenExecutor):
            if attempt == 1:
                raise
            future = spare.submit(run_share, *tasks[number][:2])
        waiting[future] = number, attempt

    try:
        for number in range(len(tasks)):
            start(number, 1)
        finished = 0
        while waiting:
            for future in concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED).done:
                number, attempt = waiting.pop(future)
                try:
                    parts[number] = future.result()
                except Exception as error:  # pylint: disable=broad-except
                    if attempt == 1:
                        start(number, 2)
                        continue
                    parts[number] = error
                if isinstance(parts[number], Part) and parts[number].status and not parts[number].report:
                    raise Error(parts[number].messages, c.QUATSIMD_ERROR_BAD_ARGUMENT)  # wrong for all shares
                finished += len(tasks[number][2])
                if progress:
                    progress(finished, sum(len(task[2]) for task in tasks))
    finally:
        for future in waiting:
            future.cancel()
        spare.shutdown()
    return parts


# ---- files and settings ----


def strings(name, value):
    """Paths, or one, as a list of str."""
    values = [value] if isinstance(value, (str, bytes, os.PathLike)) else value
    try:
        return [os.fsdecode(one) for one in values]
    except TypeError:
        raise TypeError(f"{name}: paths are needed, not {value!r}") from None


def expand(operands):
    """Whole paths of the files, and what they are called: below their folder, or by their last part. Twice the same: once."""
    found = {}
    for operand in operands:
        operand = os.path.abspath(operand)
        if not os.path.exists(operand):
            raise Error(f"{operand}: cannot open: No such file or directory", c.QUATSIMD_ERROR_BAD_ARGUMENT)
        if not os.path.isdir(operand):
            found.setdefault(operand, os.path.basename(operand))
            continue
        for folder, below, names in os.walk(operand):
            below[:] = sorted(name for name in below if name[0] != ".")
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name[0] != "." and name.lower().endswith(ENDINGS):
                    found.setdefault(path, os.path.relpath(path, operand).replace(os.sep, "/"))
    if not found:
        raise ValueError("files: there is no file of animations")
    return found


def shares(paths):
    """The paths in groups, by their number and sizes alone."""
    group, size = [], 0
    for path in paths:
        more = os.path.getsize(path)
        if group and (len(group) == SHARE_FILES or size + more > SHARE_BYTES):
            yield group
            group, size = [], 0
        group.append(path)
        size += more
    yield group


def option_words(options):
    """Options of the command line: object="0.1mm@3cm", rate=30, loop=True, animation=["Walk*"]."""
    words = []
    for name, value in options.items():
        if name not in OPTIONS:
            raise TypeError(f"{name}: compress has no such argument; there are {', '.join(OPTIONS)}")
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            if name == "skeleton" or (name == "additive" and value != "first"):
                value = os.path.abspath(os.fsdecode(value))
            values = value if isinstance(value, (list, tuple)) else [value]
            words += [word for one in values for word in (option, str(one))]
    return words


# A text; else a comment, or a comma behind the last item.
NOT_JSON = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[\]}])', re.S)


def read_recipe(recipe):
    """The recipe as a dict, its folder, and what messages call it."""
    if isinstance(recipe, dict):
        return recipe, os.getcwd(), "recipe"
    path = os.path.abspath(os.fsdecode(recipe))
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8-sig")
        tree = json.loads(NOT_JSON.sub(lambda found: found[1] or " ", text))
    except (OSError, ValueError) as error:
        raise Error(f"{path}: {getattr(error, 'strerror', None) or error}", c.QUATSIMD_ERROR_BAD_ARGUMENT) from None
    if not isinstance(tree, dict):
        raise Error(f"{path}: this is no recipe", c.QUATSIMD_ERROR_BAD_ARGUMENT)
    return tree, os.path.dirname(path), path


def recipe_files(tree, folder):
    found = []
    for pattern in tree.get("files", []):
        path = os.path.join(glob.escape(folder), str(pattern).replace("[", "[[]"))
        found += sorted(glob.glob(path)) or [os.path.join(folder, str(pattern))]
    return found


def recipe_text(tree, folder, paths, skeleton):
    """The recipe for a share of its files. Paths and patterns of them are whole, because it lies elsewhere."""
    entries = [dict(entry) for entry in tree.get("animations", [])]
    for entry in entries:
        if "file" in entry:
            entry["file"] = os.path.normpath(os.path.join(folder, entry["file"])).replace(os.sep, "/")
    files = [path.replace(os.sep, "/") for path in paths]
    whole = {**tree, "files": files, "skeleton": skeleton.replace(os.sep, "/"), **({"animations": entries} if entries else {})}
    return json.dumps(whole, ensure_ascii=False)


def has_base(tree):
    """Whether a clip is relative to another animation, which may be in any of the files: then they are one share."""
    return any(isinstance(entry.get("additive"), dict) for entry in tree.get("animations", []))


# ---- joining ----


def record_of(bundle):
    """The record of a bundle, as a dict."""
    size = lib.quatsimd_bundle_memory_size()
    storage, opened = (ctypes.c_double * (size // 8 + 1))(), ctypes.POINTER(c.quatsimd_bundle)()
    check(lib.quatsimd_bundle_open(ctypes.byref(opened), storage, size, bundle, len(bundle)))
    making, length = ctypes.c_void_p(), ctypes.c_size_t()
    check(lib.quatsimd_bundle_making(opened, ctypes.byref(making), ctypes.byref(length)))
    names = [lib.quatsimd_bundle_clip_name(opened, i).decode() for i in range(lib.quatsimd_bundle_clip_count(opened))]
    return json.loads(ctypes.string_at(making, length.value)), names


def stem(name):
    head, last = os.path.split(name)
    return os.path.join(head, last[: last.rfind(".")] if last.rfind(".") > 0 else last).replace(os.sep, "/")


def name_of(file, called):
    """What a file is called that a report names."""
    return called.get(os.path.normpath(file)) or os.path.basename(file)


def clip_names(parts, called, is_recipe):
    """The new name of each clip of each part: as the command calls those of several files, and those of one as its animations."""
    wanted, taken, names, counts = [], set(), [{} for _ in parts], {}
    for number, part in enumerate(parts):
        clips = collections.Counter(entry["file"] for entry in part.report["animations"])
        for entry in part.report["animations"]:
            name = entry["clip"]
            if not is_recipe:
                name = entry["animation"] or "animation"
            if not is_recipe and len(called) > 1:
                name = stem(name_of(entry["file"], called)) + (f"/{name}" if clips[entry["file"]] > 1 else "")
            if name in taken and is_recipe:
                raise Error(f'{entry["file"]}: two clips are called "{name}"; "name" gives one another name', c.QUATSIMD_ERROR_BAD_ARGUMENT)
            if name not in taken:
                names[number][entry["clip"]] = name
                taken.add(name)
            wanted.append((number, entry["clip"], name))
    for number, clip, name in wanted:
        while clip not in names[number]:
            counts[name] = counts.get(name, 1) + 1
            numbered = f"{name}-{counts[name]}"
            if numbered not in taken:
                names[number][clip] = numbered
                taken.add(numbered)
    return names


def join_records(records, parts, names, called, folder, recipe_hash):
    """One record of all files, for a bundle in this folder."""
    joined = {**records[0], "files": []}
    if recipe_hash and "options" in joined:
        joined["options"] = re.sub(r" recipe [0-9a-f]+$", " recipe " + recipe_hash, joined["options"])
    for record, part, new in zip(records, parts, names):
        places = {entry["clip"]: entry["file"] for entry in part.report["animations"]}
        for item in record["files"]:
            if "path" in item:
                path = os.path.normpath(os.path.join(part.folder, item["path"]))
                try:
                    path = os.path.relpath(path, folder)
                except ValueError:  # on another drive
                    pass
                item["path"] = path.replace(os.sep, "/")
            for clip in item["clips"]:
                if "name" in item:
                    item["name"] = name_of(places[clip["clip"]], called)
                if "number" in clip:
                    clip.setdefault("animation", clip["clip"])
                clip["clip"] = new[clip["clip"]]
                if clip.get("animation") == clip["clip"]:
                    del clip["animation"]
            joined["files"].append(item)
    joined["digest"] = ""
    text = json.dumps(joined, ensure_ascii=False, separators=(",", ":"))
    joined["digest"] = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    return json.dumps(joined, ensure_ascii=False, separators=(",", ":")).encode()


def join(parts, called, folder, recipe_hash):
    """The bytes of the bundle of all parts, and how many clips it has."""
    names = clip_names(parts, called, recipe_hash is not None)
    read = [record_of(part.bundle) for part in parts]
    making = join_records([record for record, _ in read], parts, names, called, folder, recipe_hash)
    clips = [new[clip].encode() for new, (_, found) in zip(names, read) for clip in found]
    report, data, size = c.quatsimd_bundle_report(), ctypes.c_void_p(), ctypes.c_size_t()
    check(lib.quatsimd_bundle_report_init(ctypes.byref(report), ctypes.sizeof(report)))
    bundles = (ctypes.c_void_p * len(parts))(*[ctypes.cast(ctypes.c_char_p(part.bundle), ctypes.c_void_p) for part in parts])
    sizes = (ctypes.c_size_t * len(parts))(*[len(part.bundle) for part in parts])
    texts = (ctypes.c_char_p * len(clips))(*clips)
    arguments = bundles, ctypes.addressof(sizes), len(parts), texts, making, len(making), ctypes.byref(report)
    check(lib.quatsimd_python_join(ctypes.byref(data), ctypes.byref(size), *arguments), "the bundle cannot be made", report)
    try:
        return ctypes.string_at(data, size.value), len(clips)
    finally:
        lib.quatsimd_bundle_free(None, data)


def write(path, data):
    """Writes a file that is there whole or not at all."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle, draft = tempfile.mkstemp(prefix=".quatsimd-", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(draft, 0o666 & ~mask)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


# ---- all of it ----


def failures_of(parts, tasks):
    found = []
    for part, (_, _, paths) in zip(parts, tasks):
        if isinstance(part, Part):
            found += [Failure(item["file"], item["reason"], "\n".join(item["messages"])) for item in part.report.get("failures", [])]
        else:
            found += [Failure(path, "worker", f"{path}: {type(part).__name__}: {part}") for path in paths]
    return found


def check_met(parts, name):
    """Refuses a recipe of which an entry met no animation of any file."""
    lists = [part.report["recipe"] for part in parts if isinstance(part, Part) and "recipe" in part.report]
    for entries in zip(*lists):
        if not any(entry["met"] for entry in entries):
            raise Error(f"{name}: no animation is like \"{entries[0]['match']}\"", c.QUATSIMD_ERROR_BAD_ARGUMENT)


def compress(files, out, recipe=None, executor=None, progress=None, partial=False, **options):
    """Compresses the animations of files and folders into one bundle, as `quatsimd compress FILES -o OUT` does.

    `files`: a path, or several; None: those that the recipe names. `recipe`: a path or a dict (docs/recipe.md). Without one, `options`
    are those of the command: object="0.1mm@3cm", rate=30, loop="auto", skeleton="hero.glb", release=True. The skeleton is that of the
    first file if nothing else is said.

    `executor` is any Executor of concurrent.futures: threads, processes, or `client.get_executor()` of dask for a cluster whose
    machines have this package and see the files under the same paths. Without one, all processors of this machine work. `progress` is
    called with the numbers of files that are done and of all. Work whose worker is lost is done once more.

    Returns Compressed. If anything fails, a CompressError lists it, and nothing is written; with partial=True the bundle is written
    without it. Each clip is compared with its animation; one beyond its bound is in the bundle and among the failures."""
    out = os.path.abspath(os.fsdecode(out))
    if not out.lower().endswith(".qsb"):
        raise ValueError(f"out: {out} does not end in .qsb")
    tree, folder, name = read_recipe(recipe) if recipe is not None else (None, None, None)
    if tree is not None and set(options) - {"release"}:
        raise TypeError(f"{sorted(set(options) - {'release'})[0]}: a recipe says it")
    for argument, value, method in (("executor", executor, "submit"), ("progress", progress, "__call__")):
        if value is not None and not hasattr(value, method):
            raise TypeError(f"{argument}: {value!r} has no {method}")
    if files is None and tree is None:
        raise TypeError("files: paths are needed, or a recipe")
    called = expand(recipe_files(tree, folder) if files is None else strings("files", files))
    if os.path.exists(out) and any(os.path.samefile(out, path) for path in called):
        raise ValueError(f"out: {out} is also an input, and would be overwritten")
    words = option_words(options)
    words += ["--jobs", "1"] if executor else []
    groups = [list(called)] if tree is not None and has_base(tree) else list(shares(called))
    if tree is None:
        words += [] if "skeleton" in options else ["--skeleton", next(iter(called))]
        tasks = [([*words, "--", *group], None, group) for group in groups]
    else:
        skeleton = os.path.join(folder, tree["skeleton"]) if "skeleton" in tree else next(iter(called))
        tasks = [(words, recipe_text(tree, folder, group, skeleton), group) for group in groups]
    if executor:
        parts = run_all(executor, tasks, progress)
    else:
        with concurrent.futures.ThreadPoolExecutor(1) as own:  # each run of the command has threads
            parts = run_all(own, tasks, progress)
    failures = failures_of(parts, tasks)
    if tree is not None:
        check_met(parts, name)
    if any(failure.reason != "bound" for failure in failures) and not partial:
        raise CompressError(failures)
    made = [part for part in parts if isinstance(part, Part) and part.bundle]
    if not made:
        raise CompressError(failures) if failures else Error("no node moves in any file", c.QUATSIMD_ERROR_BAD_ARGUMENT)
    recipe_hash = hashlib.blake2b(json.dumps(tree).encode(), digest_size=16).hexdigest() if tree is not None else None
    data, clips = join(made, called, os.path.realpath(os.path.dirname(out)), recipe_hash)
    write(out, data)
    messages = "\n".join(part.messages for part in made if part.messages and not part.report.get("failures"))
    return Compressed(out, len(data), len(called), clips, failures, messages)
