#!/usr/bin/env python3
"""Whether a run of a hundred thousand rows in ten thousand cells is read, reported, resumed and shown within the limits.

    python3 tests/benchmark/check_scale.py [--bin build/ci/bin] [--times 3] [--keep FOLDER]

Each figure is the best of several, as other work on the machine only ever adds to it; all of them are listed below the
table. Exit code 1 if a figure is beyond its limit. The worker is a fake one that measures nothing. Times are those of a
machine that has nothing else to do and has read the journal before, so this is no part of the other tests; the limits of
memory are, see tests/cli/test_report_memory.py.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEGABYTE = 1_000_000
PRESET = {
    "schema_version": 1, "name": "tiny",
    "defaults": {"model": "vitok:w64_d1_h2-w48_d2_h3/1x8x16", "device": "cpu", "precision": "bf16", "compile": "none",
                 "image_size": 32},
    "axes": {"precision": ["bf16", "int8dq"]}, "rounds": 1, "noise_floor": False,
    "measurement": {"minimum_warmup_seconds": 0.01, "maximum_warmup_seconds": 0.05, "minimum_sample_seconds": 0.01,
                    "maximum_sample_seconds": 0.05, "minimum_samples": 3, "maximum_samples": 5},
    "pictures": {"source": "procedural", "count": 2}}
# What is promised; "MB" are megabytes of the largest resident set.
LIMITS = [("report --md", 5.0, "s"), ("report --json", 300.0, "MB"), ("report --bundle", 300.0, "MB"),
          ("resume until the first cell is done", 5.0, "s"), ("window filled", 3.0, "s"),
          ("longest event of the window", 100.0, "ms")]


class Checks:
    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.measured = {name: [] for name, _, _ in LIMITS}
        self.environment = {
            **os.environ, "QUANTSCOPE_WORKER": str(programs / "fake_worker"), "QUANTSCOPE_RESOURCES": str(ROOT / "resources"),
            "QUANTSCOPE_CACHE": str(folder / "cache"), "TMPDIR": str(folder), "XDG_RUNTIME_DIR": str(folder),
            "QT_QPA_PLATFORM": "offscreen"}

    def cli(self, *arguments):
        """Seconds that the program took, and the megabytes that it held at most."""
        begun = time.monotonic()
        with subprocess.Popen([self.programs / "quantscope-cli", *map(str, arguments)], env=self.environment,
                              stdout=subprocess.DEVNULL) as program:
            _, status, usage = os.wait4(program.pid, 0)
            program.returncode = os.waitstatus_to_exitcode(status)
        if program.returncode != 0:
            sys.exit("%s ended with %d" % (" ".join(map(str, arguments)), program.returncode))
        return time.monotonic() - begun, usage.ru_maxrss * 1024 / MEGABYTE

    def make(self, name, *more):
        subprocess.run([sys.executable, ROOT / "tests/benchmark/make_large_run.py", self.folder / name, "--cells", "10000",
                        "--rounds", "10", *map(str, more)], check=True)
        return self.folder / name

    def make_runs(self):
        (self.folder / "tiny.json").write_text(json.dumps(PRESET))
        like = self.folder / "like"
        self.cli("run", self.folder / "tiny.json", "--out", like)
        self.whole, self.begun = self.make("whole"), self.make("begun", "--like", like, "--missing", 2000)

    def reports(self):
        out = self.folder / "out"
        self.measured["report --md"].append(self.cli("report", self.whole, "--out", out, "--md")[0])
        self.measured["report --json"].append(self.cli("report", self.whole, "--out", out, "--json")[1])
        bundle = self.folder / "bundle.tar"
        self.measured["report --bundle"].append(self.cli("report", self.whole, "--bundle", bundle)[1])
        bundle.unlink()

    def resume(self):
        begun = time.monotonic()
        with subprocess.Popen([self.programs / "quantscope-cli", "run", "--resume", "--out", self.begun],
                              env=self.environment, stdout=subprocess.PIPE, text=True) as program:
            for line in program.stdout:
                if line.startswith("round "):
                    self.measured["resume until the first cell is done"].append(time.monotonic() - begun)
                    break
            program.send_signal(signal.SIGTERM)
            program.stdout.read()
        if program.returncode != 75 or " ok " not in line:
            sys.exit("the run was not resumed: %d, %s" % (program.returncode, line))

    def window(self):
        done = subprocess.run([self.programs / "bench_window", self.whole], env=self.environment, stderr=subprocess.STDOUT,
                              stdout=subprocess.PIPE, text=True, check=True)
        found = re.search(r"10000 cells of 100000 rows after ([0-9.]+) s; longest event (\d+) ms", done.stdout)
        if found is None:
            sys.exit("bench_window: " + done.stdout)
        self.measured["window filled"].append(float(found[1]))
        self.measured["longest event of the window"].append(float(found[2]))

    def show(self):
        """Whether all are within their limits."""
        print("%-38s %8s %10s" % ("", "limit", "measured"))
        fine = True
        for name, limit, unit in LIMITS:
            best = min(self.measured[name])
            fine = fine and best <= limit
            print("%-38s %5g %-2s %7.*f %s%s" % (name, limit, unit, 2 if unit == "s" else 0, best, unit,
                                                 "" if best <= limit else "  BEYOND THE LIMIT"))
        print("\nall figures, in order:")
        for name, _, unit in LIMITS:
            print("%-38s %s %s" % (name, " ".join("%.2f" % each for each in self.measured[name]), unit))
        print("load of the machine: %.1f on %d cores" % (os.getloadavg()[0], os.cpu_count()))
        return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/ci/bin", help="where the programs are")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--keep", type=pathlib.Path, help="an empty folder for the runs, which stay")
    options = parser.parse_args()
    folder = contextlib.nullcontext(options.keep) if options.keep else tempfile.TemporaryDirectory()
    with folder as place:
        checks = Checks(options.bin.resolve(), pathlib.Path(place).resolve())
        checks.make_runs()
        for _ in range(options.times):
            checks.reports()
            checks.resume()
            checks.window()
        sys.exit(0 if checks.show() else 1)


if __name__ == "__main__":
    main()
