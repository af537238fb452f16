#!/usr/bin/env python3
"""Regions of an exported Llama block, compiled with Inductor on the CPU: every choice of four kinds.

    test_exported_regions.py CLI

CLI is quantscope-cli, whose worker lies beside it. One cell compiles a package for each region; all choices then find
theirs: the compiler that they are given compiles nothing.
"""
import itertools
import json
import os
import pathlib
import sys
import tempfile

import torch
import torch.nn.functional as F
from torch import nn

import sweeps
from exported_networks import RmsNorm

KINDS = ("rope", "norm", "silu_gate", "attention_merge")
# In one block: queries and keys are turned by one region; both norms share a package.
CALLS = {"rope": 1, "norm": 2, "silu_gate": 1, "attention_merge": 1}
BLOCKS, WIDTH, HEADS, TOKENS = 2, 64, 4, 16


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = RmsNorm(WIDTH), RmsNorm(WIDTH)
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH, False) for _ in range(4))
        self.gate, self.up = nn.Linear(WIDTH, 96, False), nn.Linear(WIDTH, 96, False)
        self.down = nn.Linear(96, WIDTH, False)

    def forward(self, x, cos, sin):
        def rotate(x):
            left, right = x.chunk(2, -1)
            return x * cos + torch.cat([-right, left], -1) * sin

        y = self.norm1(x)
        q, k, v = (each(y).view(*y.shape[:2], HEADS, -1).transpose(1, 2) for each in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(rotate(q), rotate(k), v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(x.shape))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Block() for _ in range(BLOCKS))
        size = WIDTH // HEADS
        angle = torch.outer(torch.arange(TOKENS).float(), 1.0 / 10000 ** (torch.arange(0, size, 2).float() / size))
        self.register_buffer("cos", torch.cat([angle, angle], -1).cos())
        self.register_buffer("sin", torch.cat([angle, angle], -1).sin())

    def forward(self, x):
        for layer in self.layers:
            x = layer(x, self.cos, self.sin)
        return x


def measured(journal):
    """Compile mode -> results of its cells, from the journal, whose lines are "length checksum json"."""
    results = {}
    for line in journal.read_text(encoding="utf-8").splitlines():
        record = json.loads(line.split(" ", 2)[2])
        if record.get("type") == "row":
            assert "failure" not in record, record["failure"]
            results.setdefault(record["config"]["compile"], []).append(record["result"])
    return results


def modes():
    choices = [each for count in range(1, len(KINDS) + 1) for each in itertools.combinations(KINDS, count)]
    return {"regions:" + "+".join(each): set(each) for each in choices}


# An operation that nothing but these regions have: without them it runs as it stands.
OWN = {"rope": "aten::cat", "norm": "aten::rsqrt", "silu_gate": "aten::silu"}


def check_evidence(mode, kinds, result):
    said = {each["part"]: each for each in result["compiles"]}
    assert set(said) == kinds and len(result["compiles"]) == len(kinds), (mode, list(said))
    for kind, each in said.items():
        assert each["from_cache"], (mode, kind)
        assert each["calls"] == CALLS[kind] * BLOCKS, (mode, kind, each["calls"])
        assert 0.0 <= each["distance_to_eager"] < 0.05, (mode, kind, each["distance_to_eager"])
        assert each["time"]["compiled_s"] > 0.0 and each["time"]["eager_s"] > 0.0, (mode, kind)
    ran = {each["name"] for each in result["profile"]["kernels"] + result["profile"]["rest"]}
    for kind, operation in OWN.items():
        assert (operation in ran) == (kind not in kinds), (mode, operation, sorted(ran))


def check_choices(cli, folder, model):
    defaults = {"model": str(model), "precision": "bf16", "batch": 2}
    # How long a second compile takes is none of this test's business.
    os.environ["QS_COMPILING_PYTHON"] = sys.executable
    os.environ["QUANTSCOPE_PYTHON"] = str(pathlib.Path(__file__).parents[1] / "support" / "compile_once.sh")
    sweeps.rows_of(cli, folder, defaults, {"compile": ["regions:" + "+".join(KINDS)]}, name="compiled")
    first = [each for results in measured(folder / "compiled" / "journal.jsonl").values() for each in results]
    packages = [each for result in first for each in result.get("compiles", [])]
    assert len(packages) == len(KINDS) and not any(each["from_cache"] for each in packages), packages

    no_compiler = folder / "no_compiler"
    # It tells the versions that packages are kept by, and compiles nothing.
    no_compiler.write_text(f"#!/bin/sh\n[ \"$2\" = -c ] && exec {sys.executable} \"$@\"\n"
                           f"touch {folder / 'called'}\nexit 1\n")
    no_compiler.chmod(0o700)
    os.environ["QUANTSCOPE_PYTHON"] = str(no_compiler)
    # 'subsets=' stands for each choice but the one of none.
    axis = ["none", "regions:subsets=" + "+".join(KINDS)]
    rows = sweeps.rows_of(cli, folder, defaults, {"compile": axis}, name="chosen")
    assert not (folder / "called").exists(), "a compiler was started"
    results = measured(folder / "chosen" / "journal.jsonl")
    expected = modes()
    # The order of kinds in a mode's name is the program's.
    named = {frozenset(mode.removeprefix("regions:").split("+")): result[0] for mode, result in results.items()
             if mode != "none"}
    assert len(named) == 2 ** len(KINDS) - 1 == len(expected), sorted(results)
    for mode, kinds in expected.items():
        check_evidence(mode, kinds, named[frozenset(kinds)])
    return rows


def check_outputs(folder, rows):
    swept = [row for row in rows if row["precision"] == "bf16" and row["rerun"] == "0"]
    assert len(swept) == 2 ** len(KINDS), [row["compile"] for row in swept]
    eager = next(row for row in swept if row["compile"] == "eager")
    expected = sweeps.stored(folder, eager["cell"], "chosen").double()
    for row in swept:
        distance = (sweeps.stored(folder, row["cell"], "chosen").double() - expected).norm() / expected.norm()
        assert distance < 0.02, (row["compile"], distance)


def main(cli):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["QUANTSCOPE_CACHE"] = str(folder / "cache")
        torch.manual_seed(1)
        program = torch.export.export(Llama().eval(), (torch.randn(2, TOKENS, WIDTH),),
                                      dynamic_shapes=({0: torch.export.Dim("batch")},))
        torch.export.save(program, folder / "llama.pt2")
        check_outputs(folder, check_choices(cli, folder, folder / "llama.pt2"))


if __name__ == "__main__":
    main(sys.argv[1])
