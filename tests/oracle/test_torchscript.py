#!/usr/bin/env python3
"""TorchScript programs converted by the command line, against PyTorch.

    test_torchscript.py CLI

Scripted, traced and frozen networks become archives that torch.export.load takes, with a free batch and equal outputs; one is
swept. Programs that no graph can be are refused with the operation, and none is run that was not agreed to.
"""
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from torch import nn
from torch.nn import functional as F

import exported_networks as networks
from sweeps import rows_of

warnings.filterwarnings("ignore")
TRACED = ("cnn", "vit", "unet", "encoder", "causal_lm", "embedding", "grouped", "several", "stateful", "in_place")


class Branches(nn.Module):
    """What tracing would lose: loops, conditions on sizes, lists, optional inputs and tied weights."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 16)
        self.mix = nn.ModuleList(nn.Linear(16, 16) for _ in range(3))
        self.head = nn.Linear(16, 40, bias=False)
        self.head.weight = self.words.weight
        self.register_buffer("scale", torch.linspace(0.5, 1.5, 16))

    def forward(self, ids, shift: float = 0.25):
        x = self.words(ids) * self.scale
        parts = [x]
        for index, mix in enumerate(self.mix):
            if x.size(1) > 4 or index == 0:
                parts.append(torch.tanh(mix(parts[-1])) + shift)
        places = torch.arange(ids.size(1)).float()[None, :, None] / ids.size(1)
        return {"logits": self.head(torch.stack(parts).sum(0) + places), "kept": parts[1]}


class Listed(nn.Module):
    """Another network with its outputs in a row: tracing knows no nesting of several kinds."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, *inputs):
        return tuple(flat(self.inner(*inputs)))


class DependsOnData(nn.Module):
    def forward(self, x):
        if bool(x.sum() > 0):
            return x * 2
        return x


class TouchesFiles(nn.Module):
    def forward(self, x, name: str = "made_by_a_model"):
        return x + torch.from_file(name, shared=True, size=4)


class HalvesTheBatch(nn.Module):
    def forward(self, x):
        return x[: x.size(0) // 2 + 1] * 2


def scripted(module):
    return torch.jit.script(module.eval())


def hash_of(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def convert(cli, file, inputs, *options, trust=True):
    command = [cli, "convert", file.name, *[part for each in inputs for part in ("--input", each)], *options]
    if trust:
        command += ["--trust", hash_of(file)]
    return subprocess.run(command, cwd=file.parent, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)


def flat(value):
    if isinstance(value, torch.Tensor):
        return [value]
    parts = value.values() if isinstance(value, dict) else value
    return [tensor for part in parts for tensor in flat(part)]


def declared(tensors, batched):
    types = {torch.float32: "float32", torch.int64: "int64", torch.bool: "bool"}
    texts = []
    for tensor, free in zip(tensors, batched):
        sizes = ["batch" if free and not place else str(size) for place, size in enumerate(tensor.shape)]
        texts.append(f"{types[tensor.dtype]}[{','.join(sizes)}]")
    return texts


def check_equal(cli, file, inputs, batched, batches, limit=1e-6):
    """The archive of a file against the program itself."""
    answer = convert(cli, file, declared(inputs(2), batched))
    assert answer.returncode == 0, (file.name, answer.stderr)
    program = torch.export.load(file.with_suffix(".pt2")).module()
    for batch in batches:
        original = torch.jit.load(file).eval()
        given = inputs(batch)
        with torch.no_grad():
            # Some write to their inputs.
            expected = flat(original(*[each.clone() for each in given]))
            got = flat(program(*given))
        assert len(expected) == len(got), file.name
        for a, b in zip(expected, got):
            assert a.shape == b.shape, (file.name, batch, a.shape, b.shape)
            distance = (a.double() - b.double()).norm() / a.double().norm().clamp(min=1e-30)
            assert distance <= limit, (file.name, batch, float(distance))


def check_networks(cli, folder):
    for name in TRACED:
        module, inputs, size, dynamic, *_ = networks.NETWORKS[name]
        torch.manual_seed(7)
        given = lambda batch: inputs(batch, size)
        file = folder / f"{name}.pt"
        model = Listed(module()) if name == "several" else module()
        torch.jit.trace(model.eval(), given(3), check_trace=False).save(file)
        # A program that writes to its buffers answers differently the second time.
        check_equal(cli, file, given, [each is not None for each in dynamic], (2,) if name == "stateful" else (1, 2, 6))
    torch.manual_seed(8)
    ids = lambda batch: (torch.randint(0, 40, (batch, 7)),)
    file = folder / "branches.pt"
    scripted(Branches()).save(file)
    check_equal(cli, file, ids, [True], (1, 2, 6))
    frozen = folder / "frozen.pt"
    torch.jit.freeze(scripted(networks.Cnn())).save(frozen)
    check_equal(cli, frozen, lambda batch: (torch.randn(batch, 3, 32, 32),), [True], (1, 2, 6))
    print(f"{len(TRACED)} traced, 1 scripted, 1 frozen: equal at each batch")


def check_names(cli, folder):
    """Weights keep their paths, tied ones lie once, and layers are found by module."""
    text = subprocess.run([cli, "inspect", "branches.pt2", "--precision", "int8dq", "--table"], cwd=folder,
                          capture_output=True, text=True, check=True).stdout
    for layer in ("mix.0", "mix.1", "mix.2", "head"):
        assert layer in text, (layer, text)
    tied = torch.export.load(folder / "branches.pt2").state_dict
    assert {"words.weight", "scale", "mix.0.weight"} <= set(tied), set(tied)


def check_sweep(cli, folder):
    rows = rows_of(cli, folder, {"model": str(folder / "vit.pt2")}, {"precision": ["bf16", "int8dq"], "batch": [1, 4]}, [])
    assert len(rows) >= 4 and all(row["status"] == "ok" for row in rows), [row["status"] for row in rows]


def check_refusals(cli, folder):
    for module, word in ((DependsOnData(), "aten::Bool"), (TouchesFiles(), "aten::from_file")):
        file = folder / f"{type(module).__name__}.pt"
        scripted(module).save(file)
        answer = convert(cli, file, ["x=float32[batch,4]"])
        assert answer.returncode != 0 and word in answer.stderr, answer.stderr
        assert not file.with_suffix(".pt2").exists()
    assert not list(folder.rglob("made_by_a_model"))
    file = folder / "halves.pt"
    scripted(HalvesTheBatch()).save(file)
    answer = convert(cli, file, ["x=float32[batch,4]"])
    assert answer.returncode == 0 and "fixed at 1" in answer.stdout, answer.stdout + answer.stderr


def check_trust(cli, folder):
    """Nothing runs that was not agreed to, and nothing takes the place of a file."""
    file = folder / "agreed.pt"
    scripted(networks.Cnn()).save(file)
    inputs = ["x=float32[batch,3,32,32]"]
    archive = file.with_suffix(".pt2")
    for options in ((), ("--trust", "0" * 64)):
        answer = convert(cli, file, inputs, *options, trust=False)
        assert answer.returncode == 2 and hash_of(file) in answer.stderr, answer.stderr
        assert not archive.exists()
    assert convert(cli, file, [], trust=True).returncode == 2  # no input was declared
    assert convert(cli, file, inputs, "--remember").returncode == 0
    before = archive.read_bytes()
    assert convert(cli, file, inputs, trust=False).returncode == 2  # the archive is there
    assert convert(cli, file, inputs, "--replace", trust=False).returncode == 0  # remembered
    assert archive.read_bytes() == before
    listed = subprocess.run([cli, "trust", "list"], capture_output=True, text=True, check=True).stdout
    assert f"{hash_of(file)}  agreed.pt" in listed, listed
    subprocess.run([cli, "trust", "forget", hash_of(file)], check=True)
    assert convert(cli, file, inputs, "--replace", trust=False).returncode == 2
    # Another program under the same name is another program.
    assert convert(cli, file, inputs, "--replace", "--remember").returncode == 0
    scripted(Branches()).save(file)
    assert convert(cli, file, inputs, "--replace", trust=False).returncode == 2
    assert not [each for each in folder.iterdir() if each.name.startswith(".quantscope")]
    # A file that is damaged ends in words, and what was there stays.
    kept = archive.read_bytes()
    damaged = bytearray(file.read_bytes())
    for place in range(len(damaged) // 3, len(damaged) // 3 + 400):
        damaged[place] ^= 0x5A
    file.write_bytes(damaged)
    answer = convert(cli, file, inputs, "--replace")
    assert answer.returncode != 0 and answer.stderr, answer
    assert archive.read_bytes() == kept


def main():
    cli = sys.argv[1]
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["QUANTSCOPE_CACHE"] = str(folder / "cache")
        check_networks(cli, folder)
        check_names(cli, folder)
        check_refusals(cli, folder)
        check_trust(cli, folder)
        check_sweep(cli, folder)
    print("torchscript: ok")


if __name__ == "__main__":
    main()
