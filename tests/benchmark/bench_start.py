"""How long the window takes from exec until it can be used, and until the shipped example is in it.

    python3 tests/benchmark/bench_start.py [PROGRAM] [--starts 20]

Each start has an empty settings folder, as the very first one has. Speed is looked at, never asserted: the first start
after a build also reads the program from disk, and whatever else runs on the machine counts. The least is what the
program needs; the median is what a person sees.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def start(program, view):
    """Seconds until each line that the program writes."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_RUNTIME_DIR=folder)
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        begun = time.monotonic()
        process = subprocess.Popen(
            [program, "--report-start", "--settings", f"{folder}/settings.ini", "--runs", f"{folder}/runs", "--view", view],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True)
        seconds = {line.strip(): time.monotonic() - begun for line in process.stdout}
        process.wait()
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default=ROOT / "build/release/bin/quantscope")
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--view", default="curves")
    options = parser.parse_args()
    starts = [start(options.program, options.view) for _ in range(options.starts)]
    print(f"{options.starts} starts, milliseconds: least, median, greatest")
    for what in ("usable", "filled"):
        times = sorted(each[what] * 1e3 for each in starts if what in each)
        if times:
            print(f"{what:8}{times[0]:8.0f}{statistics.median(times):8.0f}{times[-1]:8.0f}")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
