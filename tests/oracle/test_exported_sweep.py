#!/usr/bin/env python3
"""An exported network from the command line: inspected, and swept on the CPU in bf16 and int8dq.

    test_exported_sweep.py CLI

CLI is quantscope-cli, whose worker lies beside it.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import torch

import exported_networks as networks


def run(*command):
    result = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    assert result.returncode == 0, f"{command}: {result.returncode}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def check_inspection(cli, file, model):
    said = json.loads(run(cli, "inspect", file, "--precision", "int8dq", "--json"))
    assert said["parameters"] == sum(each.numel() for each in model.parameters()), said["parameters"]
    assert said["trained_weights"] and not said["outputs_mean_something"] and said["unit_of_work"] == "image"
    modules = {each["module"] for each in said["layers"]}
    assert modules == {name for name, each in model.named_modules() if isinstance(each, (torch.nn.Linear, torch.nn.Conv2d))}
    assert any(each["matched"] for each in said["layers"])
    assert "operations" in run(cli, "inspect", file)


class Flat(torch.nn.Module):
    """No numbered blocks: a stem, a hidden layer, a head."""

    def __init__(self):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, 32, 3)
        self.hidden = torch.nn.Linear(32, 256)
        self.out = torch.nn.Linear(256, 16)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(self.stem(x).mean((2, 3)))))


def check_flat_network(cli, file):
    torch.export.save(torch.export.export(Flat().eval(), (torch.randn(1, 3, 16, 16),)), file)
    said = json.loads(run(cli, "inspect", file, "--precision", "int8wo", "--json"))
    assert [each["module"] for each in said["layers"] if each["matched"]] == ["hidden"], said["layers"]


def check_sweep(cli, file, folder):
    preset = {"schema_version": 1, "name": "exported",
              "defaults": {"model": str(file), "device": "cpu", "compile": "none"},
              "axes": {"precision": ["bf16", "int8dq"], "batch": [1, 4]}, "rounds": 1,
              "measurement": {"minimum_warmup_seconds": 0.01, "maximum_warmup_seconds": 0.1,
                              "minimum_sample_seconds": 0.01, "maximum_sample_seconds": 0.1}}
    (folder / "preset.json").write_text(json.dumps(preset))
    run(cli, "run", folder / "preset.json", "--out", folder / "run")
    run(cli, "report", folder / "run", "--out", folder / "report")
    with open(folder / "report" / "cells.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = {(row["precision"], int(row["batch"])) for row in rows if row["status"] == "ok"}
    assert {("bf16", 1), ("bf16", 4), ("int8dq", 1), ("int8dq", 4)} <= found, (found, rows[:1])


def main(cli):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model, program = networks.export("vit")
        torch.export.save(program, folder / "vit.pt2")
        check_inspection(cli, folder / "vit.pt2", model)
        check_sweep(cli, folder / "vit.pt2", folder)
        check_flat_network(cli, folder / "flat.pt2")
        refused = folder / "pickled.pt2"
        refused.write_bytes((folder / "vit.pt2").read_bytes().replace(b'"use_pickle": false', b'"use_pickle": true '))
        result = subprocess.run([cli, "inspect", refused], capture_output=True, text=True)
        assert result.returncode != 0 and result.stderr, result


if __name__ == "__main__":
    main(sys.argv[1])
