#!/usr/bin/env python3
"""The quick preset of selective compilation with a real compiler, one region of it in float8, and the files of its
document: every figure is there, or null with a reason.

    test_surgical_preset.py CLI PROJECT
"""
import csv
import json
import os
import pathlib
import sys
import tempfile

import sweeps

# Null on a processor, which has no counter of what is allocated, and has one model in memory at a time.
MISSING = {"peak_mb", "baseline_mb"}
PRECISION = "float8-delayed:history=1:amax=recent"


def main():
    cli, project = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        os.environ["QUANTSCOPE_CACHE"] = str(folder / "cache")
        os.environ["QS_COMPILING_PYTHON"] = sys.executable
        os.environ["QUANTSCOPE_PYTHON"] = str(project / "tests/support/compile_once.sh")
        sweeps.command(cli, "run", project / "presets/surgical_compile/quick.json", "--out", folder / "run",
                       "--set", "rounds=1", "--filter", f"precision={PRECISION}", "--filter", "compile=none,regions:rope")
        sweeps.command(cli, "report", folder / "run", "--profile", "surgical-compile", "--out", folder / "files")
        records = json.loads((folder / "files/surgical_results.json").read_text())
        reasons = json.loads((folder / "files/reasons.json").read_text())["files"]["surgical_results.json"]
        assert len(records) == len(reasons) == 1, records
        record, missing = records[0], {field for field, value in records[0].items() if value is None}
        assert missing == MISSING == {field for field, why in reasons[0]["missing"].items() if why}, reasons
        assert record["baseline_min"] <= record["baseline_avg"] and record["surgical_min"] <= record["surgical_avg"], record
        assert abs(record["speedup"] - record["baseline_avg"] / record["surgical_avg"]) < 1e-9, record
        assert 0 <= record["max_diff"] < 0.578125, record
        sweeps.command(cli, "report", folder / "run", "--csv", "--out", folder / "files")
        with open(folder / "files/cells.csv", newline="", encoding="utf-8") as file:
            differences = [row["largest_difference_from_uncompiled"] for row in csv.DictReader(file)]
        assert [float(each) for each in differences if each] == [record["max_diff"]], differences
        lines = [[each.strip() for each in line.strip("|").split("|")]
                 for line in (folder / "files/surgical_compile.md").read_text().splitlines() if line.startswith("|")]
        assert [line[4] for line in lines if line[2] == "rope"] == ["yes"], lines



if __name__ == "__main__":
    main()
