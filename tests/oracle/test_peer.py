#!/usr/bin/env python3
"""The network of a run through torch.compile, from the command line to the reports.

    test_peer.py CLI SOURCES

A small network is exported, swept by our engine and measured in Python beside it. What Python computes is what PyTorch computes;
nothing of an exported program breaks Dynamo's graph, and a break that is planted is counted, with its reason.
"""
import csv
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from torch import nn

import sweeps

warnings.filterwarnings("ignore")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(64, 128), nn.Linear(128, 32)

    def forward(self, x):
        return self.down(nn.functional.gelu(self.up(x)))


def call(cli, *arguments, fails=0):
    answer = subprocess.run([cli, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300,
                            check=False)
    assert answer.returncode == fails, (arguments, answer.returncode, answer.stdout, answer.stderr)
    return answer.stdout + answer.stderr


def measured_run(cli, folder):
    """Two batches, bf16 eager: what the peer is put beside."""
    program = torch.export.export(Net().eval(), (torch.zeros(4, 64),), dynamic_shapes=({0: torch.export.Dim("batch")},))
    torch.export.save(program, folder / "net.pt2")
    sweep = {"schema_version": 1, "name": "net", "rounds": 1, "isolation": "model", "noise_floor": False,
             "measurement": sweeps.QUICK, "axes": {"batch": [2, 4]},
             "defaults": {"model": str(folder / "net.pt2"), "device": "cpu", "precision": "bf16", "compile": "none"}}
    (folder / "net.json").write_text(json.dumps(sweep))
    call(cli, "run", folder / "net.json", "--out", folder / "run")
    return folder / "run"


def check_measured(cli, folder, run):
    """Rows of two modes, and of a precision that needs a package which may not be there."""
    said = call(cli, "peer", run, "--precision", "none,int8wo", "--mode", "eager,default", "--batch", 4, "--rounds", 2,
                "--samples", 3, "--python", sys.executable)
    assert "round 2 of 2" in said, said
    results = json.loads((run / "peers" / "torch_compile.json").read_text())
    rows = {(row["precision"], row["mode"]): row for row in results["rows"]}
    assert len(rows) == 4 and {row["batch"] for row in rows.values()} == {4}
    for mode in ("eager", "default"):
        row = rows["bf16", mode]
        assert row["status"] == "ok" and [len(each) for each in row["rounds"]] == [3, 3], row
        assert 0 <= row["output_distance"] < 0.02 and row["quantized_layers"] == 0, row
    assert rows["bf16", "eager"]["output_distance"] == 0 and rows["bf16", "eager"]["counters"] is None
    assert rows["bf16", "eager"]["counters_missing"]
    counters = rows["bf16", "default"]["counters"]
    assert counters["unique_graphs"] == counters["frames"] == 1 and counters["graph_breaks"] == [], counters
    has_torchao = importlib.util.find_spec("torchao") is not None
    for mode in ("eager", "default"):
        row = rows["int8wo", mode]
        assert row["status"] == ("ok" if has_torchao else "unavailable"), row
        assert row["quantized_layers"] == 2 if has_torchao else "torchao" in row["reason"], row
    call(cli, "report", run, "--out", folder / "report", "--csv", "--json", "--md", "--html")
    lines = list(csv.DictReader((folder / "report" / "other_programs.csv").open()))
    assert len(lines) == 4 and lines[1]["dynamo_graph_breaks"] == "0" and float(lines[1]["throughput_per_second"]) > 0, lines
    listed = json.loads((folder / "report" / "report.json").read_text())["other_programs"]
    assert listed[0]["rows"][0]["rounds"] == results["rows"][0]["rounds"]
    assert 'id="references"' in (folder / "report" / "report.html").read_text()


def check_by_itself(cli, folder, run):
    """What is prepared runs without this program, and its results can be attached; what is none cannot."""
    place = folder / "prepared"
    call(cli, "peer", run, "--mode", "eager", "--rounds", 1, "--samples", 2, "--prepare", place)
    call(cli, "peer", run, "--prepare", place, fails=2)  # is not empty
    subprocess.run([sys.executable, place / "measure_peer.py", place / "request.json", folder / "alone.json"], check=True,
                   capture_output=True, timeout=300)
    assert sorted(row["batch"] for row in json.loads((folder / "alone.json").read_text())["rows"]) == [2, 4]
    call(cli, "peer", run, "--attach", folder / "alone.json")
    call(cli, "peer", run, "--attach", folder / "alone.json")
    assert sorted(each.name for each in (run / "peers").iterdir()) == ["alone.json", "alone_2.json", "torch_compile.json"]
    (folder / "none.json").write_text('{"schema_version": 1, "program": "x", "unit": "image", "rows": [{"batch": 0}]}')
    said = call(cli, "peer", run, "--attach", folder / "none.json", fails=2)
    assert "none.json" in said and "$.rows[0].batch" in said and "$.rows[0].precision" in said, said
    call(cli, "peer", run, "--mode", "fastest", fails=2)
    call(cli, "peer", run, "--precision", "int3", fails=2)
    assert len(list((run / "peers").iterdir())) == 3


def check_counters(sources):
    """A break that is planted is counted."""
    spec = importlib.util.spec_from_file_location("measure_peer", sources / "core" / "run" / "peer" / "measure_peer.py")
    peer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peer)

    def broken(x):
        x = x + 1
        torch._dynamo.graph_break()
        return x * 2

    before = peer.counters_now()
    torch.compile(broken, backend="eager")(torch.ones(2))
    made = peer.counters_since(before)
    assert made["unique_graphs"] == 2 and len(made["graph_breaks"]) == 1 and made["graph_breaks"][0]["count"] == 1, made
    assert made["graph_breaks"][0]["reason"], made
    before = peer.counters_now()
    torch.compile(lambda x: x * 3, backend="eager")(torch.ones(2))
    made = peer.counters_since(before)
    assert made["unique_graphs"] == 1 and made["graph_breaks"] == [], made


def main():
    cli, sources = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["QUANTSCOPE_CACHE"] = str(folder / "cache")
        os.environ["TORCHINDUCTOR_VEC_ISA_OK"] = "1"  # seconds of asking the compiler what the processor can
        torch.manual_seed(7)
        run = measured_run(cli, folder)
        check_measured(cli, folder, run)
        check_by_itself(cli, folder, run)
        check_counters(sources)


if __name__ == "__main__":
    main()
