#!/usr/bin/env python3
"""What is said of exported programs before anything runs: quantscope-cli inspect and export-example.

    test_exported_inspection.py CLI
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file
from torch import nn

from sweeps import command, outputs_of

BATCH = torch.export.Dim("batch", min=2, max=48)
LENGTH = torch.export.Dim("length", min=3, max=200)


class Pair(nn.Module):
    """An encoder and a decoder, as modules of those names."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, 32)
        self.encoder = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32))
        self.decoder = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 64))

    def forward(self, ids):
        x = self.embed(ids)
        return self.decoder(x + self.encoder(x))


class Strange(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.odd = Odd()

    def forward(self, x):
        return torch.special.i1(self.odd(self.first(x)))


class Odd(nn.Module):
    def forward(self, x):
        return torch.special.i0(x) + torch.special.i0(x + 1)


class Scales(nn.Module):
    """Numbered blocks of convolutions, and linear layers between them."""

    def __init__(self):
        super().__init__()
        self.first, self.head = nn.Conv2d(3, 32, 3, padding=1), nn.Linear(32, 32)
        self.down = nn.ModuleList([nn.Conv2d(32, 32, 3, padding=1), nn.Conv2d(32, 32, 3, padding=1)])
        self.middle = nn.ModuleDict({"fc1": nn.Linear(32, 64), "fc2": nn.Linear(64, 32)})
        self.up = nn.ModuleList([nn.Conv2d(32, 32, 3, padding=1)])

    def forward(self, x):
        x = self.down[1](self.down[0](self.first(x)))
        y = self.middle["fc2"](nn.functional.gelu(self.middle["fc1"](x.flatten(2).transpose(1, 2))))
        x = x + y.transpose(1, 2).reshape(x.shape)
        return self.head(self.up[0](x).mean((2, 3)))


def inspect(cli, *arguments, code=0):
    result = subprocess.run([str(cli), "inspect", "--json", *map(str, arguments)], capture_output=True, text=True, check=False)
    assert result.returncode == code, (result.returncode, result.stderr)
    return json.loads(result.stdout)


def check_ports(cli, folder):
    file = folder / "pair.pt2"
    torch.export.save(torch.export.export(Pair().eval(), (torch.randint(0, 64, (4, 7)),),
                                          dynamic_shapes=({0: BATCH, 1: LENGTH},)), file)
    said = inspect(cli, file)
    assert said["usable"] and said["family"] == "exported", said
    axes = {each["name"]: (each["lowest"], each["highest"]) for each in said["axes"]}
    assert axes == {"batch": (2, 48), "tokens": (3, 200)}, axes
    assert said["batch"] == 2, "the least that there is"
    ids, = said["inputs"]
    assert ids["dtype"] == "int64" and ids["shape"] == [2, 7] and ids["generated"] == {"uniform": [0.0, 63.0]}, ids
    logits, = said["outputs"]
    assert logits["kind"] == "logits" and logits["shape"] == [2, 7, 64] and logits["judged"], logits
    assert not said["outputs_mean_something"] and said["advice"]
    assert inspect(cli, file, "--size", "tokens=9", "--batch", 5)["inputs"][0]["shape"] == [5, 9]
    beyond = subprocess.run([str(cli), "inspect", str(file), "--batch", "49"], capture_output=True, text=True, check=False)
    assert beyond.returncode != 0 and "2 to 48" in beyond.stderr, beyond


def check_fixed_batch(cli, folder):
    file = folder / "fixed.pt2"
    torch.export.save(torch.export.export(nn.Linear(8, 8).eval(), (torch.randn(3, 8),)), file)
    said = inspect(cli, file)
    assert said["axes"][0] == {"name": "batch", "lowest": 3, "highest": 3} and said["batch"] == 3, said["axes"]
    assert any("torch.export.Dim(" in each for each in said["advice"]), said["advice"]


def check_unsupported(cli, folder):
    file = folder / "strange.pt2"
    torch.export.save(torch.export.export(Strange().eval(), (torch.randn(2, 8),)), file)
    said = inspect(cli, file, code=3)
    assert not said["usable"] and said["recognised"], said
    found = {each["operation"]: (each["calls"], each["module"]) for each in said["unsupported_operations"]}
    assert found == {"torch.ops.aten.special_i0.default": (2, "odd"), "torch.ops.aten.special_i1.default": (1, "")}, found
    assert not inspect(cli, folder / "nowhere.pt2", code=2)["usable"]


def check_example(cli, folder):
    lines = command(cli, "export-example", "--model", "net", "--argument", "features")
    assert len(lines.strip().splitlines()) == 3, lines

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(16, 16)

        def forward(self, features):
            return self.fc(features)

    script = compile(lines.replace('"net.pt2"', repr(str(folder / "net.pt2"))), "lines", "exec")
    exec(script, {"torch": torch, "net": Net(), "features": torch.randn(2, 16)})
    said = inspect(cli, folder / "net.pt2")
    assert (said["axes"][0]["lowest"], said["axes"][0]["highest"]) == (1, 1024), said["axes"]
    state = {"a": torch.randn(3), "b": torch.randn(2, 2).t()}
    torch.save(state, folder / "net.pth")
    lines = command(cli, "export-example", "--model", "net", "--checkpoint")
    assert len(lines.strip().splitlines()) == 3, lines
    script = compile(lines.replace('"net.', f'"{folder}/net.'), "lines", "exec")
    exec(script, {})
    assert torch.equal(load_file(folder / "net.safetensors")["b"], state["b"])
    refused = subprocess.run([str(cli), "inspect", str(folder / "net.pth")], capture_output=True, text=True, check=False)
    assert refused.returncode != 0 and "save_file" in refused.stderr, refused


def check_stages(cli, folder):
    torch.manual_seed(11)
    model = Pair().eval()
    file = folder / "stages.pt2"
    torch.export.save(torch.export.export(model, (torch.randint(0, 64, (4, 7)),), dynamic_shapes=({0: BATCH},)), file)
    stages = ["--stage", "encoder=encoder", "--stage", "decoder=decoder"]
    said = inspect(cli, file, *stages, "--precision", "bf16/int8dq")
    assert [each["name"] for each in said["stages"]] == ["encoder", "decoder"], said["stages"]
    schemes = {each["module"]: each["scheme"] for each in said["layers"] if each["scheme"] == "int8dq"}
    assert schemes == {"decoder.0": "int8dq", "decoder.2": "int8dq"}, schemes
    ids = torch.randint(0, 64, (5, 7))
    (folder / "ids.txt").write_text("\n".join(",".join(map(str, row)) for row in ids.tolist()))
    found = outputs_of(cli, folder, {"model": str(file)}, {"precision": ["fp32", "bf16/int8dq"], "batch": [2]},
                       [*stages, "--weights", "trained", "--input", f"ids=file:{folder / 'ids.txt'}"])
    with torch.no_grad():
        golden = model(ids)
    assert (found["fp32", 2] - golden).abs().max() < 1e-5
    assert 1e-5 < (found["bf16/int8dq", 2] - golden).abs().max() < 0.1
    wrong = subprocess.run([str(cli), "inspect", str(file), "--stage", "a=encoder", "--stage", "b=nothing"],
                           capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and "nothing" in wrong.stderr, wrong


def check_layers_between_blocks(cli, folder):
    file = folder / "scales.pt2"
    torch.export.save(torch.export.export(Scales().eval(), (torch.randn(4, 3, 8, 8),), dynamic_shapes=({0: BATCH},)), file)

    def quantized(layers):
        said = inspect(cli, file, "--precision", "int8dq", "--layers", layers)
        return {each["module"] for each in said["layers"] if each["scheme"] == "int8dq"}

    assert quantized("all") == {"middle.fc1", "middle.fc2"}, quantized("all")
    assert quantized("every") == {"middle.fc1", "middle.fc2", "head"}, quantized("every")
    assert quantized("all -last1") == set(), "they are of the block before them"


def main(cli):
    for check in (check_ports, check_fixed_batch, check_unsupported, check_example, check_stages, check_layers_between_blocks):
        with tempfile.TemporaryDirectory() as folder:
            check(cli, pathlib.Path(folder))
        print(check.__name__)


if __name__ == "__main__":
    main(sys.argv[1])
