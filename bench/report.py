#!/usr/bin/python3
"""Readable tables, a plot and a check from the output of quatsimd-bench; see README.md."""
import argparse
import json
import math
import shutil
import subprocess
import sys

# ---- thresholds of --check ----

# (a) Least speed-up over scalar of every format, layout and direction, the better of two counts. A table that
# points at scalar functions has 1.0, and noise makes up to 1.5 of it. Zen 3 has 4.6 at least for sse2 and 7.5
# for avx2.
FASTER_THAN_SCALAR = {"sse2": 2.5, "avx2": 4.0, "avx512": 5.0, "neon": 2.0, "simd128": 2.0}
FASTER_THAN_SCALAR_FORMAT = {"float4": 2.0}  # a comparison and a copy: the caches are the bound
FASTER_COUNTS = (1024, 262144)

# (c) Least speed-up over the strongest plain C loop that does the same work, smallest3_32, aos, 256 Ki: on packing it
# normalises as the library does. A gate against regressions, at what Zen 3 has (1.75 and 1.6) less noise; the goal is
# in TARGETS_SELECT. Zen 3 has 160 vector registers to rename, which hold less than two blocks of packing: there the
# latency of a block bounds its rate, whatever its width.
FASTER_THAN_SELECT = {"avx2": 1.3, "avx512": 2.0}
SELECT = {"unpack": "c-select", "pack": "c-select-any"}
# (d) Most time over the best plain C loop's. That is gcc's own SSE2, without the checks of input and words which make
# packing and unpacking total: sse2 pays for them.
SLOWER_THAN_PLAIN = {"sse2": 1.6}

# (e) Most time over smallest3_32 with the same kernels, layout and direction, 256 Ki.
SLOWER_THAN_SMALLEST3 = {"unpack": 2.5, "pack": 3.0}
SLOWER_THAN_SMALLEST3_FORMAT = {"cube32": 1.6, "cube32c": 1.6}
# Lattices search for the nearest point; the two large ones need a division more on each axis. The goals are those for aos.
SLOWER_LATTICE = {"unpack": 2.5, "pack": 6.5}
SLOWER_LATTICE_AOS = {
    ("unpack", "lattice24"): 2.0,
    ("unpack", "lattice32"): 2.0,
    ("unpack", "lattice48"): 1.75,
    ("pack", "lattice24"): 4.0,
    ("pack", "lattice32"): 4.0,
}  # avx2, avx512
SLOWER_THAN_SMALLEST3_KERNEL = {("sse2", "half4"): 3.2}  # SSE2 has no conversion of halves

# (f) Most nanoseconds a call of the public functions adds to a pose: a call of 24 less 24 times the time per quaternion
# at 64. The end of a bit-packed array takes a detour through memory, so that nothing behind it is read.
CALL_OVERHEAD = 10.0
CALL_OVERHEAD_PACKED = 60.0

# (g) Least speed-up over meshoptimizer's filter, compiled for this CPU, meshopt:16, aos, 256 Ki, where the kernels in use are
# at least avx2: packing against its encoder, transcoding to snorm16x4 against its decoder. Zen 4 has 4.0 and 1.6.
FASTER_THAN_MESHOPT = {"pack": 3.0, "unpack": 1.5}

# (h) Most time over memcpy of the same bytes at 4 Mi, aos, avx2: operations that should be bound by memory.
SLOWER_THAN_MEMCPY = {"multiply": 1.3, "rotate": 1.3, "rotate_by_one": 1.3, "nlerp": 1.3}
# (i) Least speed-up over the slower of two loops, over GLM and over Eigen, both compiled for this CPU, 256 Ki, aos, avx2.
FASTER_THAN_PEERS = {"slerp": 8.0, "exp": 8.0, "log": 8.0}
PEERS = ("glm", "eigen")
LOOPS = ("c-native", "c-clang")
# (j) Least million rotations per second, avx2, aos.
LEAST_MILLIONS = {"qtangent_pack_tbn": 100.0, "relative_pack": 30.0, "relative_unpack": 30.0, "stream_encode": 30.0, "stream_decode": 30.0}

# (k) Most time of a later table (AVX-512 after AVX2 after SSE2) over the one before it, in any row; more where their repeats differ.
SLOWER_THAN_EARLIER = 1.05

# Targets for smallest3_32 on Zen 5 at this clock: nanoseconds at 256 Ki, and times memcpy at 4 Mi.
TARGET_GHZ = 4.5
TARGETS_NS = {
    ("unpack", "aos"): {"avx2": 0.46, "avx512": 0.22},
    ("unpack", "soa"): {"avx2": 0.28, "avx512": 0.16},
    ("pack", "aos"): {"avx2": 0.55, "avx512": 0.30},
    ("pack", "soa"): {"avx2": 0.45, "avx512": 0.25},
}
TARGETS_SELECT = {"avx2": 2.5, "avx512": 4.5}  # times as fast as the plain select loop
TARGETS_MEMCPY = {"unpack": {"avx2": 1.15, "avx512": 1.1}, "pack": {"avx2": 1.4, "avx512": 1.2}}

# ---- input ----

KI256 = 256 * 1024
MI4 = 4 * 1024 * 1024
DIRECTIONS = ("unpack", "pack")
OPERATION = "operation"  # in place of the direction
BODIES = 4096
LAYOUTS = ("aos", "soa", "strided")
S3 = "smallest3_32"
NOISE = 0.1  # bench.h


class Measured(float):
    """A number that was measured, or computed of such. It is noise if the repeats of a row differ by more than NOISE."""

    def __new__(cls, value, *of):
        self = super().__new__(cls, value)
        self.spread = sum(x.spread for x in of)
        self.noisy = any(x.noisy for x in of)
        return self


class Results:
    """The rows of one or more runs by (direction, kernels, format, layout, count); of several the fastest.
    memcpy is that of all rows which move as many bytes: a copy disturbed once must not flatter a kernel."""

    def __init__(self, paths):
        self.rows = {}
        self.times = {}
        self.memcpy = {}
        self.formats = []
        self.operations = []
        for path in paths:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
            self.context = data["context"]
            for row in data["benchmarks"]:
                if row.get("run_type") == "aggregate":
                    continue
                direction, kernels, fmt, layout, count = row["name"].split("/")[:5]
                key = direction, kernels, fmt, layout, int(count)
                if key not in self.rows or row["ns_per_quat"] < self.rows[key]["ns_per_quat"]:
                    self.rows[key] = row
                self.times.setdefault(key, []).append(row["ns_per_quat"])
                copy = row.get("memcpy_ns_per_quat", math.inf)  # views have none
                self.memcpy[fmt, int(count)] = min(copy, self.memcpy.get((fmt, int(count)), copy))
                names = self.operations if direction == OPERATION else self.formats
                if (direction == OPERATION or kernels == "scalar") and fmt not in names:
                    names.append(fmt)
        self.kernels = self.context.get("kernels", "").split()
        self.simd = [k for k in self.kernels if k != "scalar"]

    def get(self, *key, counter="ns_per_quat"):
        """None if that was not measured."""
        row = self.rows.get(key, {})
        if counter not in row:
            return None
        value = Measured(row[counter])
        least = sorted(self.times[key])[:2]  # what two runs have found alike is no noise
        value.spread = least[1] / least[0] - 1 if len(least) > 1 else row.get("spread", 0)
        value.noisy = value.spread > NOISE
        return value

    def ratio(self, one, other):
        """How many times as long the row with key `one` takes as the row with key `other`."""
        a, b = self.get(*one), self.get(*other)
        return Measured(a / b, a, b) if a is not None and b else None

    def over_memcpy(self, *key):
        ns, copy = self.get(*key), self.memcpy.get((key[2], key[4]))
        return Measured(ns / copy, ns) if ns is not None and copy else None

    def cycles(self, *key):
        ns, ghz = self.get(*key), self.get(*key, counter="ghz")
        return Measured(ns * ghz, ns) if ns is not None and ghz else None

    def errors(self, kernels, fmt, counter):
        """All values of `worst` or `worst_scalar` for a kernel table and format: one, if all is well."""
        return {row[counter] for key, row in self.rows.items() if key[1:3] == (kernels, fmt) and counter in row}


def show(value, form="{:.2f}"):
    return "-" if value is None else form.format(value) + "?" * getattr(value, "noisy", False)


def table(head, rows):
    widths = [max(len(line[i]) for line in [head] + rows) for i in range(len(head))]
    for line in [head] + rows:
        cells = [line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        print("  ".join(cells).rstrip())
    print()


# ---- tables ----


def print_context(r):
    c = r.context
    print(f"{c.get('cpu', 'unknown CPU')}, measured clock {c.get('clock_ghz', '?')} GHz, {c.get('date', '')}")
    print(
        f"libquatsimd {c.get('quatsimd_version', '?')}, compiler {c.get('compiler', '?')}, "
        f"kernels {' '.join(r.kernels)}, in use {c.get('active_kernels', '?')}\n"
        f"?: repeats of the row differ by more than {100 * NOISE:.0f} %, so the time is noise\n"
    )


def ns_and_cycles(r, *key):
    return "-" if r.get(*key) is None else f"{show(r.get(*key))} ({float(r.cycles(*key) or 0):.1f})"


def print_kernels(r, kernels):
    print(
        f"{kernels}: ns per quaternion (cycles) at 256 Ki; times memcpy, aos at 4 Mi; times as fast as\n"
        f"scalar and times as long as {S3} with the same kernels, aos at 256 Ki; worst 1 - |dot| of a\n"
        "round trip"
    )
    rows = []
    for fmt in r.formats:
        row = [fmt]
        row += [ns_and_cycles(r, direction, kernels, fmt, layout, KI256) for direction in DIRECTIONS for layout in ("aos", "soa")]
        row += [show(r.over_memcpy(direction, kernels, fmt, "aos", MI4)) for direction in DIRECTIONS]
        keys = [(direction, kernels, fmt, "aos", KI256) for direction in DIRECTIONS]
        row += [show(r.ratio((key[0], "scalar") + key[2:], key), "{:.1f}") for key in keys]
        row += [show(r.ratio(key, key[:2] + (S3,) + key[3:])) for key in keys]
        row.append("/".join(f"{worst:.2e}" for worst in r.errors(kernels, fmt, "worst")) or "-")
        rows.append(row)
    table(
        ["", "unpack aos", "unpack soa", "pack aos", "pack soa", "u/memcpy", "p/memcpy", "scal/u", "scal/p", "u/s3_32", "p/s3_32", "worst"],
        rows,
    )


def print_small_calls(r):
    print(
        "ns per call of 1, 4 and 24 quaternions, aos: the public functions " f"({r.context.get('active_kernels')}) and the scalar kernels"
    )
    counts = (1, 4, 24)
    rows = []
    for fmt in r.formats:
        rows.append(
            [fmt]
            + [
                show(r.get(direction, kernels, fmt, "aos", n, counter="ns_per_call"), "{:.1f}")
                for direction in DIRECTIONS
                for kernels in ("api", "scalar")
                for n in counts
            ]
        )
    table([""] + [f"{direction[0]} {kernels} {n}" for direction in DIRECTIONS for kernels in ("api", "scalar") for n in counts], rows)


def print_baselines(r):
    print(
        "10-bit smallest three and what else there is, aos: ns per quaternion (cycles). c-select and\n"
        "c-textbook are plain C for unit quaternions, c-native and c-clang c-select for this CPU alone, by the\n"
        "compiler and by clang; those with -any take any length; meshopt is\n"
        "meshopt_encodeFilterQuat to 4 x 16 bits and meshopt_decodeFilterQuat to shorts, transcode is ours to shorts;\n"
        f"memcpy moves the bytes that {S3} does"
    )
    rows = []
    for kernels in r.kernels + [
        "c-select",
        "c-select-any",
        "c-native",
        "c-native-any",
        "c-clang",
        "c-clang-any",
        "c-textbook",
        "meshopt",
        "transcode",
        "memcpy",
    ]:
        row = [kernels]
        for direction in DIRECTIONS:
            for count in (24, 1024, KI256, MI4):
                fmt = "quat16" if kernels in ("meshopt", "transcode") else S3
                row.append(
                    show(r.memcpy.get((S3, count))) if kernels == "memcpy" else ns_and_cycles(r, direction, kernels, fmt, "aos", count)
                )
        if any(cell != "-" for cell in row[1:]):
            rows.append(row)
    table([""] + [f"{d} {c}" for d in DIRECTIONS for c in ("24", "1 Ki", "256 Ki", "4 Mi")], rows)


def print_targets(r):
    rows = []
    for (direction, layout), targets in TARGETS_NS.items():
        for kernels, ns in targets.items():
            key = direction, kernels, S3, layout, KI256
            rows.append(
                [f"{direction} {layout} 256 Ki {kernels}", show(r.get(*key)), f"{ns:.2f}", show(r.cycles(*key)), f"{ns * TARGET_GHZ:.2f}"]
            )
    for direction, targets in TARGETS_MEMCPY.items():
        for kernels, ratio in targets.items():
            measured = r.over_memcpy(direction, kernels, S3, "aos", MI4)
            name = f"{direction} aos 4 Mi {kernels}, times memcpy"
            rows.append([name, show(measured), f"{ratio:.2f}", "", ""])
    for kernels, times in TARGETS_SELECT.items():
        for direction in DIRECTIONS:
            measured = r.ratio((direction, SELECT[direction], S3, "aos", KI256), (direction, kernels, S3, "aos", KI256))
            rows.append([f"{direction} aos 256 Ki {kernels}, times as fast as {SELECT[direction]}", show(measured), f"{times:.2f}", "", ""])
    print(f"Targets for {S3} on Zen 5 at {TARGET_GHZ} GHz")
    table(["", "measured", "target", "cycles", "target"], rows)


def over_peer(r, kernels, operation, peer):
    """How many times as fast as the loop over that library."""
    return r.ratio((OPERATION, peer, operation, "aos", KI256), (OPERATION, kernels, operation, "aos", KI256))


def millions(r, kernels, operation):
    ns = r.get(OPERATION, kernels, operation, "aos", BODIES if operation.startswith("stream_") else KI256)
    return Measured(1e3 / ns, ns) if ns else None


def has_peers(r):
    return any(key[1] in PEERS for key in r.rows)


def print_operations(r):
    if not r.operations:
        return
    print(
        f"Rotation algebra by the public functions: ns per element at 256 Ki; times memcpy of the same bytes, aos at\n"
        f"256 Ki and 4 Mi; ns per element of loops over {r.context.get('peers', '?')}, and of plain C loops by the\n"
        "compiler (c) and by clang, aos and soa at 256 Ki, all for this CPU alone; and the time as a multiple of the best of\n"
        "the loops of that layout"
    )
    if not has_peers(r):
        print("SKIP: no GLM or no Eigen when quatsimd-bench was built, or they were not measured")
    rows = []
    for kernels in r.kernels:
        for operation in r.operations:
            if operation in LEAST_MILLIONS:
                continue
            key = OPERATION, kernels, operation
            row = [
                f"{kernels} {operation}",
                show(r.get(*key, "aos", KI256)),
                show(r.get(*key, "soa", KI256)),
                show(r.over_memcpy(*key, "aos", KI256)),
                show(r.over_memcpy(*key, "aos", MI4)),
            ]
            best = []
            for layout, loops in (("aos", PEERS + LOOPS), ("soa", LOOPS)):
                times = [r.get(OPERATION, loop, operation, layout, KI256) for loop in loops]
                row += [show(ns) for ns in times]
                ns, least = r.get(*key, layout, KI256), min((ns for ns in times if ns), default=None)
                best.append(show(Measured(ns / least, ns, least) if ns and least else None))
            if any(cell != "-" for cell in row[1:5]):
                rows.append(row + best)
    table(
        [
            "",
            "aos",
            "soa",
            "memcpy",
            "memcpy 4 Mi",
            "glm aos",
            "eigen aos",
            "c aos",
            "clang aos",
            "c soa",
            "clang soa",
            "x best aos",
            "x best soa",
        ],
        rows,
    )

    print(
        f"Relative rotations (cayley32, 256 Ki) and streams ({BODIES} bodies, packet after packet): million rotations per\n"
        "second, aos; ns per rotation; bits per rotation"
    )
    rows = []
    for kernels in r.kernels:
        for operation in LEAST_MILLIONS:
            count = BODIES if operation.startswith("stream_") else KI256
            key = OPERATION, kernels, operation, "aos", count
            if r.get(*key) is not None:
                bits = r.get(*key, counter="bits_per_quat") if operation.startswith("stream_") else 32
                rows.append(
                    [f"{kernels} {operation}", show(millions(r, kernels, operation), "{:.1f}"), show(r.get(*key)), show(bits, "{:.1f}")]
                )
    table(["", "M/s", "ns", "bits"], rows)


# ---- plot ----


def plot(r, path):
    """ns per quaternion of every format and kernel table, 256 Ki aos, one panel per direction."""
    if not shutil.which("gnuplot"):
        print("no gnuplot, no plot", file=sys.stderr)
        return
    script = [
        f'set terminal svg size {240 + 40 * len(r.formats)},800 font "sans,11" background "white"',
        f"set output {json.dumps(path)}",
        "set multiplot layout 2,1",
        "set style data histograms",
        "set style histogram clustered gap 1",
        "set style fill solid",
        "set logscale y",
        "set yrange [0.1:100]",
        "set grid ytics",
        "set xtics rotate by -40 noenhanced",
        "set key outside noenhanced",
        'set ylabel "ns per quaternion"',
    ]
    for direction in DIRECTIONS:
        script.append(f"${direction} << END")
        for fmt in r.formats:
            values = [r.get(direction, kernels, fmt, "aos", KI256) for kernels in r.kernels]
            script.append(" ".join([f'"{fmt}"'] + ["NaN" if v is None else f"{v:.4f}" for v in values]))
        script.append("END")
        script.append(f'set title "{direction}, 256 Ki quaternions, aos"')
        columns = [f"${direction} using {i + 2}:xtic(1) title '{name}'" for i, name in enumerate(r.kernels)]
        script.append("plot " + ", ".join(columns))
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True)
    print(f"plot in {path}")


# ---- check ----


class Check:
    def __init__(self):
        self.failed = []
        self.passed = self.noise = 0

    def line(self, good, text):
        print(("ok    " if good else "FAIL  ") + text)
        if good:
            self.passed += 1
        else:
            self.failed.append(text)

    def limit(self, what, measured, limit, at_least):
        """What was not measured fails, noise does not."""
        good = measured is not None and (measured >= limit if at_least else measured <= limit)
        text = f"{what}: {'not measured' if measured is None else show(measured)}, wanted {'>=' if at_least else '<='} {limit:.2f}"
        if not good and getattr(measured, "noisy", False):
            self.noise += 1
            print("noise " + text)
        else:
            self.line(good, text)


def check_scalar(c, r):
    for kernels in r.simd:
        for fmt in r.formats:
            limit = FASTER_THAN_SCALAR_FORMAT.get(fmt, FASTER_THAN_SCALAR.get(kernels, 2.0))
            for layout in LAYOUTS:
                for direction in DIRECTIONS:
                    keys = [(direction, kernels, fmt, layout, n) for n in FASTER_COUNTS]
                    ratios = [r.ratio((direction, "scalar") + key[2:], key) for key in keys]
                    c.limit(
                        f"(a) {kernels} {direction} {fmt} {layout}, times as fast as scalar",
                        max((x for x in ratios if x is not None), default=None),
                        limit,
                        True,
                    )


def check_errors(c, r):
    for kernels in r.simd:
        for fmt in r.formats:
            worst, scalar = (r.errors(kernels, fmt, name) for name in ("worst", "worst_scalar"))
            shown = [", ".join(f"{v:.17g}" for v in values) or "not measured" for values in (worst, scalar)]
            c.line(len(worst) == 1 and worst == scalar, f"(b) {kernels} {fmt}, worst 1 - |dot|: {shown[0]}, wanted scalar's {shown[1]}")


def check_plain(c, r):
    for kernels, limit in FASTER_THAN_SELECT.items():
        if kernels not in r.simd:
            print(f"----  (c) {kernels}: this machine cannot run it")
            continue
        for direction in DIRECTIONS:
            loop = SELECT[direction]
            ratio = r.ratio((direction, loop, S3, "aos", KI256), (direction, kernels, S3, "aos", KI256))
            c.limit(f"(c) {kernels} {direction} {S3}, times as fast as {loop}", ratio, limit, True)
    for kernels in r.simd:
        for direction in DIRECTIONS:
            ratios = [
                r.ratio((direction, kernels, S3, "aos", KI256), (direction, loop, S3, "aos", KI256))
                for loop in (SELECT[direction], "c-textbook")
            ]
            c.limit(
                f"(d) {kernels} {direction} {S3}, time over that of plain C for any CPU of this kind",
                None if None in ratios else max(ratios),
                SLOWER_THAN_PLAIN.get(kernels, 1.0),
                False,
            )


def check_formats(c, r):
    for kernels in r.simd:
        for fmt in r.formats:
            for direction in DIRECTIONS:
                for layout in LAYOUTS:
                    limit = SLOWER_THAN_SMALLEST3_KERNEL.get(
                        (kernels, fmt), SLOWER_THAN_SMALLEST3_FORMAT.get(fmt, SLOWER_THAN_SMALLEST3[direction])
                    )
                    if fmt.startswith("lattice"):
                        limit = SLOWER_LATTICE[direction]
                        if layout == "aos" and kernels.startswith("avx"):
                            limit = SLOWER_LATTICE_AOS.get((direction, fmt), limit)
                    key = direction, kernels, fmt, layout, KI256
                    c.limit(
                        f"(e) {kernels} {direction} {fmt} {layout}, time over {S3}'s",
                        r.ratio(key, (direction, kernels, S3, layout, KI256)),
                        limit,
                        False,
                    )


def check_calls(c, r):
    for fmt in r.formats:
        for direction in DIRECTIONS:
            pose, many = (r.get(direction, "api", fmt, "aos", n) for n in (24, 64))
            c.limit(
                f"(f) {direction} {fmt}, ns that a call adds to a pose of 24",
                None if pose is None or many is None else Measured(24 * (pose - many), pose, many),
                CALL_OVERHEAD_PACKED if fmt.startswith(("smallest3:", "mirage:")) else CALL_OVERHEAD,
                False,
            )


def check_meshopt(c, r):
    if r.get("unpack", "meshopt", "quat16", "aos", KI256) is None:
        print("----  (g) meshoptimizer is not there to compare with")
        return
    best = next((k for k in ("avx512", "avx2") if k in r.simd), None)
    if best is None:
        print("----  (g) no avx2 kernels here")
        return
    for direction, ours in (("pack", (best, "meshopt:16")), ("unpack", ("transcode", "quat16"))):
        key = (direction, *ours, "aos", KI256)
        c.limit(
            f"(g) {direction} {' '.join(ours)}, times as fast as meshoptimizer",
            r.ratio((direction, "meshopt", "quat16", "aos", KI256), key),
            FASTER_THAN_MESHOPT[direction],
            True,
        )


def check_operations(c, r):
    if "avx2" not in r.simd:
        print("----  (h) (i) (j) avx2: this machine cannot run it")
        return
    for operation, limit in SLOWER_THAN_MEMCPY.items():
        c.limit(
            f"(h) avx2 {operation} aos 4 Mi, time over memcpy's of the same bytes",
            r.over_memcpy(OPERATION, "avx2", operation, "aos", MI4),
            limit,
            False,
        )
    for operation, limit in FASTER_THAN_PEERS.items():
        if not has_peers(r):
            print(f"----  (i) {operation}: GLM and Eigen are not there to compare with")
            continue
        ratios = {peer: over_peer(r, "avx2", operation, peer) for peer in PEERS}
        shown = ", ".join(f"{peer} {show(ratio)}" for peer, ratio in ratios.items())
        c.limit(
            f"(i) avx2 {operation} aos, times as fast as the slower of {shown}",
            None if None in ratios.values() else max(ratios.values()),
            limit,
            True,
        )
    for operation, limit in LEAST_MILLIONS.items():
        c.limit(f"(j) avx2 {operation} aos, million rotations per second", millions(r, "avx2", operation), limit, True)


def slower_tables(r):
    """Of each table and the one before it: a sentence, and by how much the slower rows are slower."""
    for later, earlier in zip(r.simd, r.simd[1:]):
        ratios = {key: r.ratio(key, (key[0], earlier, *key[2:])) for key in r.rows if key[1] == later}
        ratios = {key: x for key, x in ratios.items() if x}
        slower = {key: x for key, x in ratios.items() if not x.noisy and x > SLOWER_THAN_EARLIER + x.spread}
        noisy = sum(x.noisy for x in ratios.values())
        yield f"{later} takes longer than {earlier} in {len(slower)} of {len(ratios)} rows; {noisy} are noise", slower


def check_tables(c, r):
    for sentence, slower in slower_tables(r):
        for key, ratio in slower.items():
            c.line(False, f"(k) {'/'.join(map(str, key))}: {ratio:.2f} times as long")
        c.line(not slower, f"(k) {sentence}")


def print_tables(r):
    for sentence, slower in slower_tables(r):
        print(sentence)
        if slower:
            table(["", "times as long"], [["/".join(map(str, key)), show(x)] for key, x in sorted(slower.items(), key=lambda row: -row[1])])


def compare(old, new):
    """Rows of two builds that ran in turns, where one is beyond the repeats' differences slower."""
    ratios = {key: Measured(new.get(*key) / old.get(*key), new.get(*key), old.get(*key)) for key in new.rows if key in old.rows}
    noisy = sum(x.noisy for x in ratios.values())
    changed = {key: x for key, x in ratios.items() if not x.noisy and abs(math.log(x)) > max(0.02, x.spread)}
    print(f"{len(ratios)} rows compared, {len(changed)} differ, {noisy} are noise; ns per quaternion, the least of all repeats")
    rows = [
        ["/".join(map(str, key)), show(old.get(*key)), show(new.get(*key)), show(x)]
        for key, x in sorted(changed.items(), key=lambda x: -x[1])
    ]
    table(["", "old", "new", "new/old"], rows)


def check(r):
    c = Check()
    if not r.simd or not r.formats:
        c.line(False, "vector kernels or scalar ones were not measured: the check compares both")
    for part in (check_scalar, check_errors, check_plain, check_formats, check_calls, check_meshopt, check_operations, check_tables):
        part(c, r)
    print(f"\n{c.passed} passed, {c.noise} noise, {len(c.failed)} failed" + (":" if c.failed else ""))
    for text in c.failed:
        print("  " + text)
    return 1 if c.failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("json", nargs="+", help="from quatsimd-bench --benchmark_out=...; of several the fastest rows count")
    parser.add_argument("--plot", metavar="SVG", help="write a plot of ns per quaternion, if there is gnuplot")
    parser.add_argument("--check", action="store_true", help="compare with the thresholds, exit with 1 if any is missed")
    parser.add_argument("--against", metavar="JSON", nargs="+", help="those of another build: print what differs (./dev bench --compare)")
    args = parser.parse_args()
    r = Results(args.json)
    print_context(r)
    if args.against:
        compare(Results(args.against), r)
    elif not args.check:
        for kernels in r.kernels:
            print_kernels(r, kernels)
        print_small_calls(r)
        print_baselines(r)
        print_operations(r)
        print_targets(r)
        print_tables(r)
    if args.plot:
        plot(r, args.plot)
    return check(r) if args.check else 0


if __name__ == "__main__":
    sys.exit(main())
