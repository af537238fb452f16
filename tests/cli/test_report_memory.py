#!/usr/bin/env python3
"""Reports of a long run take hardly more memory than its rows: they are written piece by piece.

    test_report_memory.py quantscope-cli SOURCE_FOLDER
"""

import pathlib
import resource
import subprocess
import sys
import tarfile
import tempfile
import json

# The documents of these rows alone would take three times as much.
LIMIT = 256 << 20
CELLS, ROUNDS, SAMPLES = 100, 60, 36


def limit():
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        run, out, bundle = (pathlib.Path(folder, name) for name in ("run", "out", "bundle.tar"))
        subprocess.run([sys.executable, source / "tests/benchmark/make_large_run.py", run, "--cells", str(CELLS),
                        "--rounds", str(ROUNDS), "--samples", str(SAMPLES)], check=True)
        for arguments in (["--json"], ["--csv"], ["--bundle", str(bundle)]):
            done = subprocess.run([program, "report", run, "--out", out, *arguments], preexec_fn=limit,
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit("%s within %d MiB: %d %s" % (arguments[0], LIMIT >> 20, done.returncode, done.stderr))
        document = json.loads((out / "report.json").read_text())
        assert len(document["measurements"]) == CELLS * ROUNDS
        assert len(document["cells"]) == CELLS
        with tarfile.open(bundle) as archive:
            for name in ("report.json", "samples.csv"):
                assert archive.extractfile(name).read() == (out / name).read_bytes(), name
            assert archive.extractfile("journal.jsonl").read() == (run / "journal.jsonl").read_bytes()


if __name__ == "__main__":
    main()
