"""Instructions in machine code, by class, and the loops of kernels in object files. For bench/gate."""
import pathlib
import re
import shutil
import subprocess

FORMATS = pathlib.Path(__file__).resolve().parent.parent / "src/codec/formats.def"
MACHINES = {62: ("x86_64", "znver4"), 183: ("aarch64", "neoverse-v1")}  # by the number in the ELF header
BRANCH = r"(j\w+|b|b\..*|cbn?z|tbn?z)$"
SLOW = r"v?(div|sqrt)[ps][sdh]|i?div[bwlq]?|[fsu]div|fsqrt|vp?(gather|scatter)\w+"
LANES = {"avx512": 16, "avx2": 8, "sse2": 4, "neon": 4}  # V_LANES of the vector layers
# A function's first loop counts. These work in passes. Pairs: which loop counts, and how often it runs for
# LANES rotations.
THREE = ((0, 1), (1, 1), (2, 1))
PASSES = {
    "in_double_log": ((0, 2), (1, 2)),
    "in_float_slerp": ((0, 1), (1, 2), (2, 1)),
    "on_structs_slerp": ((0, 1), (1, 2), (2, 1)),
    "in_float_qtangent_from_tbn": THREE,
    "in_float_qtangent_from_tangents": THREE,
}


def execute(command, text=""):
    done = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise ValueError(f"{command[0]} ...: exit status {done.returncode}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def classes(name, operands):
    """The classes of an instruction: all are instructions; some take long (divisions, square roots, gathers),
    some read or write memory."""
    slow, memory = re.fullmatch(SLOW, name), re.search(r"[(\[]", operands) and not re.match("lea|nop", name)
    return ["instructions"] + ["slow"] * bool(slow) + ["memory"] * bool(memory)


def disassemble(path):
    """Machine, CPU, compiler; of each function instruction set, name, code: address, mnemonic, operands."""
    data = pathlib.Path(path).read_bytes()
    start = data.find(b"\x7fELF")
    if start < 0 or data[start + 18] not in MACHINES:
        raise ValueError(f"{path}: no machine code of x86-64 or AArch64")
    machine, cpu = MACHINES[data[start + 18]]
    compiler = re.search(rb"(GCC): \(.*?\) (\d+)|(clang) version (\d+)", data)
    compiler = b" ".join(filter(None, compiler.groups())).decode().lower() if compiler else "unknown"
    objdump = shutil.which(f"{machine}-linux-gnu-objdump") or "objdump"
    source, isas, functions = "", {}, []
    for line in execute([objdump, "-dt", "--no-show-raw-insn", path]).splitlines():
        if found := re.search(r" df \*ABS\*\s+\w+ (?:isa_)?(\w+)", line):  # the symbols of this source follow
            source = found[1]
        elif found := re.match(r"(\w{16}) .* F .* (\w+)$", line):
            isas[found.groups()] = source
        elif found := re.match(r"(\w{16}) <(\w+)", line):
            functions.append((isas.get(found.groups()), found[2], []))
        elif found := re.match(r" *(\w+):\t(\S+) *\t?(.*?)\s*(<.*| # .*|//.*)?$", line):
            functions[-1][2].append((int(found[1], 16), found[2], found[3]))
    return machine, cpu, compiler, functions


def loops(code):
    """The innermost ones: from a branch's target to the branch, with no other such pair and no return within.
    What begins inside of a loop is the same loop by way of a rare block behind it."""
    pairs, found, end = set(), [], -1
    for at, name, operands in code:
        target = re.search(r"\b[0-9a-f]+$", operands)
        if re.match(BRANCH, name) and target and code[0][0] <= int(target[0], 16) <= at:
            pairs.add((int(target[0], 16), at))
    for first, last in sorted(pairs):
        body = [i for i in code if first <= i[0] <= last and not i[1].startswith("nop")]
        inner = not any(first <= a and b <= last for a, b in pairs - {(first, last)})
        if first > end and inner and not any(name == "ret" for _, name, _ in body):
            found.append(body)
            end = last
    return found


def kernel(isa, name, formats):
    """A function's row, which of its loops count and how often, and rotations; as loops.inc.h has them."""
    if isa in LANES and (found := re.match(r"(pack|unpack)_all_(\w+)", name)):
        storage, blocks = formats[found[2]]
        two = storage != "PACKED" and (blocks == "2") == (found[1] == "pack")  # blocks at once
        rotations = max(8, LANES[isa]) if storage == "PACKED" else LANES[isa] * (1 + two)
        return f"{found[1]}/{isa}/{found[2]}", ((0, 1),), rotations
    if isa in LANES and (found := re.match(r"(in_double|in_float|on_structs)_(\w+)", name)):
        layout = "aos" if found[1] == "on_structs" else "soa"
        once = ((0, 2 if found[1] == "in_double" else 1),)  # a vector of doubles has half of the lanes
        return f"kernel/{isa}/{found[2]}/{layout}", PASSES.get(name, once), LANES[isa]
    return None, (), 1


def cycles(mca, machine, cpu, loop):
    """Of one iteration, in a hundred. Targets of branches and calls do not matter."""
    lines = (f"{name} {re.sub('[0-9a-f]+$', '.', text) if re.match(BRANCH + '|call|bl$', name) else text}" for _, name, text in loop)
    out = execute([mca, f"-mtriple={machine}", f"-mcpu={cpu}", "-iterations=100"], "\n".join(lines))
    return int(re.search(r"Total Cycles: *(\d+)", out)[1]) / 100


def count_loops(path, only, mca):
    """Of the kernels in an object file or static library: compiler of each instruction set, and rows."""
    text = FORMATS.read_text(encoding="utf-8")
    found = re.findall(r'^FORMAT\((\w+), .*?, ([12]), QUATSIMD.*", (\w+), \d', text, re.M)
    formats = {name: (storage, blocks) for name, blocks, storage in found}
    machine, cpu, compiler, functions = disassemble(path)
    builds, rows, in_float = {}, {}, {(isa, name[9:]) for isa, name, _ in functions if name.startswith("in_float_")}
    for isa, name, code in functions:
        row, passes, rotations = kernel(isa, name, formats)
        if name.startswith("in_double_") and (isa, name[10:]) in in_float:
            continue  # for the few floats that overflow
        bodies = loops(code) if row and only.search(row) else []
        if len(bodies) <= max((i for i, _ in passes), default=0):
            continue  # no kernel, or one without loops: pack_all_cube32c may be a jump to pack_all_cube32
        builds[isa] = compiler
        rows[row] = {}
        for i, times in passes:
            for _, mnemonic, operands in bodies[i]:
                for what in classes(mnemonic, operands):
                    rows[row][what] = rows[row].get(what, 0) + times / rotations
            if mca:
                rows[row]["cycles"] = rows[row].get("cycles", 0) + times * cycles(mca, machine, cpu, bodies[i]) / rotations
    return builds, rows
