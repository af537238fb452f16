#!/usr/bin/env python3
"""Reads the golden reports as a reader outside would: numbers parse as numbers, texts are no formulas, tables agree.

With a program as second argument, runs it to write a bundle and unpacks that.
"""
import csv
import pathlib
import subprocess
import sys
import tarfile
import tempfile

NUMERIC_ENDINGS = ("_bytes", "_seconds", "_pass", "_ratio", "_fraction", "_db", "_px", "_median", "_mean",
                   "_worst", "_lower_95", "_upper_95", "_quartile", "_minimum", "_maximum", "_multiple", "_per_second", "_percent", "_db", "_nats")
NUMERIC_NAMES = {"round", "attempt", "seed", "rerun", "samples", "sample", "rounds_ok", "rounds_planned", "worst_output", "batch",
                 "trained_weights", "identical_to_reference", "warmup_passes", "allocation_retries", "outputs_finite",
                 "lag1_autocorrelation", "effective_samples", "sample_seconds_standard_deviation",
                 "seconds_per_pass_standard_deviation", "sm_clock_mean_mhz", "temperature_maximum_celsius",
                 "energy_joules_per_unit", "outputs_compared"}


def numeric(column):
    return column in NUMERIC_NAMES or column.endswith(NUMERIC_ENDINGS)


def read(path):
    raw = path.read_bytes()
    if raw.count(b"\r\n") != raw.count(b"\n"):
        raise SystemExit(f"{path}: lines must end with CRLF")
    with open(path, encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream, strict=True))
    for number, line in enumerate(lines, 2):
        for column, value in line.items():
            if column is None or value is None:
                raise SystemExit(f"{path}:{number}: not as many fields as the head has")
            if numeric(column) and value:
                float(value)
            if not numeric(column) and value[:1] and value[0] in "=+-@\t\r\n":
                raise SystemExit(f"{path}:{number}: {column} is a formula: {value}")
    return lines


def check_tables(folder):
    cells, rows, samples = (read(folder / f"{name}.csv") for name in ("cells", "measurements", "samples"))
    assert cells and rows and samples
    assert {row["cell"] for row in rows} <= {cell["cell"] for cell in cells}
    assert sum(int(row["samples"]) for row in rows) == len(samples)
    for cell in cells:
        if cell["seconds_per_pass"]:
            expected = float(cell["batch"]) / float(cell["seconds_per_pass"])
            assert abs(float(cell["throughput_per_second"]) - expected) < 1e-9 * expected
        else:
            assert cell["status"] != "ok" and not cell["weights_resident_bytes"]


def check_bundle(program):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, folder], check=True)
        with tarfile.open(pathlib.Path(folder, "bundle.tar")) as archive:
            names = archive.getnames()
            for name in ("cells.csv", "measurements.csv", "samples.csv", "report.json", "summary.md"):
                content = archive.extractfile(name).read()
                assert content == pathlib.Path(folder, name).read_bytes(), name
        assert {"plan.json", "environment.json"} <= set(names), names
        check_tables(pathlib.Path(folder))


check_tables(pathlib.Path(sys.argv[1]))
check_bundle(sys.argv[2])
