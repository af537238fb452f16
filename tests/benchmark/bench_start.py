"""How long the window takes from exec until it can be used, and until the shipped example is in it.

    python3 tests/benchmark/bench_start.py [PROGRAM] [--against OTHER] [--starts 20]

Each start has an empty settings folder, as the very first one has. Speed is looked at, never asserted: the first start
after a build also reads the program from disk, and whatever else runs on the machine counts. The least is what the
program needs; the median is what a person sees. Two builds are compared by starting them in turn: the median of the
ratios of neighbouring starts hardly feels what else goes on.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

WHAT = ("usable", "filled")
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


def times(starts, what):
    return [each[what] for each in starts if what in each]


def show(program, starts):
    print(f"{program}: milliseconds of {len(starts)} starts, least, median, greatest")
    for what in WHAT:
        found = sorted(seconds * 1e3 for seconds in times(starts, what))
        if found:
            print(f"{what:8}{found[0]:8.0f}{statistics.median(found):8.0f}{found[-1]:8.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default=ROOT / "build/release/bin/quantscope")
    parser.add_argument("--against")
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--view", default="curves")
    options = parser.parse_args()
    starts, others = [], []
    for _ in range(options.starts):
        starts.append(start(options.program, options.view))
        if options.against:
            others.append(start(options.against, options.view))
    show(options.program, starts)
    if options.against:
        show(options.against, others)
        for what in WHAT:
            ratios = [a / b for a, b in zip(times(starts, what), times(others, what))]
            print(f"{what:8}{statistics.median(ratios):8.2f} times the other, median of the ratios")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
