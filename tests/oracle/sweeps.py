"""Sweeps through quantscope-cli on the CPU, for tests: what they gave."""
import csv
import json
import subprocess

import numpy
import torch

# What a pass gives is looked at, not how long it takes: as few as an interval can be made of.
QUICK = {"minimum_warmup_seconds": 0.0, "maximum_warmup_seconds": 0.1, "minimum_sample_seconds": 0.01,
         "maximum_sample_seconds": 0.1, "minimum_samples": 3}


def command(*arguments):
    """What it printed; an error if it failed."""
    result = subprocess.run([str(each) for each in arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{arguments}: {result.returncode}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def rows_of(cli, folder, defaults, axes, options=(), more=None, name="run"):
    """Runs the sweep in folder/name; the rows of its cells.csv. One process measures all cells of a model, and nothing is
    repeated: test_exported_sweep.py has a process for each cell, and noise-floor runs."""
    preset = {"schema_version": 1, "name": "test", "rounds": 1, "isolation": "model", "noise_floor": False,
              "measurement": QUICK, "axes": axes,
              "defaults": {"device": "cpu", "compile": "none", **defaults}, **(more or {})}
    (folder / f"{name}.json").write_text(json.dumps(preset))
    command(cli, "run", folder / f"{name}.json", "--out", folder / name, *options)
    command(cli, "report", folder / name, "--out", folder / f"{name}_report")
    with open(folder / f"{name}_report" / "cells.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    bad = [row for row in rows if row["status"] not in ("ok", "unsupported", "")]
    assert not bad, bad[0]
    return [row for row in rows if row["status"] == "ok"]


def stored(folder, cell, name="run"):
    """All outputs of a cell, one after the other."""
    files = sorted((folder / name / "cells" / cell).glob("output_*.npy"),
                   key=lambda each: int(each.stem.split("_")[1]))
    assert files, cell
    return torch.stack([torch.from_numpy(numpy.load(each)) for each in files])


def outputs_of(cli, folder, defaults, axes, options=(), more=None, name="run"):
    """By precision and batch."""
    rows = rows_of(cli, folder, defaults, axes, options, more, name)
    return {(row["precision"], int(row["batch"])): stored(folder, row["cell"], name)
            for row in rows if row["rerun"] == "0" and row["compile"] == "eager"}
