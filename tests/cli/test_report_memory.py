#!/usr/bin/env python3
"""Reports of a long run do not hold its rows: they are written piece by piece, and the rows are read once more.

    test_report_memory.py quantscope-cli SOURCE_FOLDER
"""

import os
import pathlib
import resource
import subprocess
import sys
import tarfile
import tempfile
import json

# The documents of these rows alone would take three times as much.
LIMIT = 128 << 20
CELLS, ROUNDS, SAMPLES = 100, 30, 36
# What a row may add; as a value with all its texts it takes more than 5 KB.
BYTES_PER_ROW = 2000
FEW, MANY = 10, 110  # rounds of 100 cells


def limit():
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))


def peak_bytes(program, source, folder, rounds):
    """Of the program that reports a run of so many rounds."""
    run = pathlib.Path(folder, "run-%d" % rounds)
    subprocess.run([sys.executable, source / "tests/benchmark/make_large_run.py", run, "--cells", "100",
                    "--rounds", str(rounds), "--samples", "10"], check=True)
    with subprocess.Popen([program, "report", run, "--out", run / "out", "--json"], stdout=subprocess.DEVNULL) as one:
        _, status, usage = os.wait4(one.pid, 0)
        one.returncode = status
    if status != 0:
        sys.exit("--json of %d rounds: %d" % (rounds, status))
    return usage.ru_maxrss << 10


def check_rows(program, source, folder):
    few, many = (peak_bytes(program, source, folder, rounds) for rounds in (FEW, MANY))
    per_row = (many - few) / ((MANY - FEW) * 100)
    if per_row > BYTES_PER_ROW:
        sys.exit("a row takes %d bytes of memory" % per_row)


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        check_rows(program, source, folder)
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
