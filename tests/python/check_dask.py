"""compress on two workers of dask, of which one is ended half-way: the same bytes. Needs the package distributed of PyPI."""
import os
import pathlib
import signal
import tempfile

from dask.distributed import Client, LocalCluster

import quatsimd
import test_compress
from quatsimd import _compress


def main():
    _compress.SHARE_FILES = 2
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for i in range(40):
            (folder / f"take{i}.bvh").write_text(test_compress.bvh(0.1 + i / 50), encoding="utf-8")
        quatsimd.compress(folder, folder / "a.qsb")
        options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
        with LocalCluster(**options) as cluster, Client(cluster) as client:
            first = [next(iter(cluster.workers.values())).process.pid]

            def progress(done, _):
                if done >= 8 and first:
                    os.kill(first.pop(), signal.SIGKILL)

            quatsimd.compress(folder, folder / "b.qsb", executor=client.get_executor(), progress=progress)
            assert not first, "no worker was ended"
        assert (folder / "a.qsb").read_bytes() == (folder / "b.qsb").read_bytes()
    print("the same bytes")


if __name__ == "__main__":  # workers import this file
    main()
