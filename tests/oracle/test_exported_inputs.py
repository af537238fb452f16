#!/usr/bin/env python3
"""What exported programs are fed with, from the command line, against PyTorch on the same inputs.

    test_exported_inputs.py CLI

Images with range, mean, deviation, order of channels and layout; tensors from .npy and .safetensors; token ids from lines
of text; several inputs; random ones; and what is said of quality where weights or inputs are not real.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import torch
from safetensors.torch import save_file
from torch import nn

import exported_networks as networks
from sweeps import command, outputs_of, rows_of, stored

MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
BATCH = torch.export.Dim("batch", min=1, max=64)


class Smooth(nn.Module):
    """Images to images of the same kind, channels last, blue first."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, padding=1)
        self.back = nn.Conv2d(16, 3, 3, padding=1)

    def forward(self, picture):
        x = picture.permute(0, 3, 1, 2)
        return (x + 0.1 * self.back(torch.relu(self.conv(x)))).permute(0, 2, 3, 1)


class Two(nn.Module):
    """Tokens and a tensor of features, one of them without a batch."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 16)
        self.mix = nn.Linear(16, 16)
        self.head = nn.Linear(16, 32)

    def forward(self, ids, features, shift):
        return self.head(torch.tanh(self.mix(self.words(ids).mean(1) + features))) + shift


def save(folder, model, inputs, dynamic):
    torch.manual_seed(3)
    program = torch.export.export(model.eval(), inputs, dynamic_shapes=dynamic)
    torch.export.save(program, folder / "model.pt2")
    return {"model": str(folder / "model.pt2")}


def pictures_of(folder, size):
    """What the run took, float64 in [0, 1]."""
    found = list((folder / "run" / "inputs").glob("*.npy"))
    arrays = [numpy.load(each) for each in found]
    array, = [each for each in arrays if each.ndim == 4 and each.shape[-1] == size]
    return (torch.from_numpy(array).double() + 1) / 2


def check_images(cli, folder):
    model = Smooth()
    defaults = save(folder, model, (torch.rand(2, 24, 24, 3),), ({0: BATCH},))
    text = "picture=images:range=0..255:mean=1,2,3:std=100,90,80:channels=bgr:layout=nhwc"
    more = {"pictures": {"source": "procedural", "count": 5}}
    options = ["--input", text, "--weights", "trained"]
    rows = rows_of(cli, folder, defaults, {"precision": ["fp32", "bf16"], "batch": [1, 4]}, options, more)
    picture = pictures_of(folder, 24)
    assert picture.shape == (5, 3, 24, 24), picture.shape
    mean = torch.tensor([1.0, 2.0, 3.0]).reshape(1, 3, 1, 1)
    deviation = torch.tensor([100.0, 90.0, 80.0]).reshape(1, 3, 1, 1)
    fed = ((picture * 255 - mean) / deviation).flip(1).permute(0, 2, 3, 1)
    with torch.no_grad():
        golden = model.double()(fed).permute(0, 3, 1, 2).flip(1)
    golden = (golden * deviation + mean) / 255 * 2 - 1
    for row in rows:
        assert row["trained_weights"] in ("true", "1", "yes"), row["trained_weights"]
        if row["precision"] == "fp32" and row["rerun"] == "0":
            ours = stored(folder, row["cell"]).double()
            assert ours.shape == golden.shape, (ours.shape, golden.shape)
            assert (ours - golden).abs().max() < 1e-5, (ours - golden).abs().max()
        if row["precision"] == "bf16" and row["rerun"] == "0":
            assert list((folder / "run" / "cells" / row["cell"]).glob("*.png")), "it is shown as an image"
    ssim = [name for name in rows[0] if name.startswith("ssim")]
    assert ssim and any(row[name] for row in rows for name in ssim), "images have SSIM"


def check_classes(cli, folder):
    """The usual normalisation, from a folder of one's own, and scores."""
    model, program = networks.export("vit")
    torch.export.save(program, folder / "model.pt2")
    text = f"image=images:mean={','.join(map(str, MEAN))}:std={','.join(map(str, DEVIATION))}"
    defaults = {"model": str(folder / "model.pt2")}
    found = outputs_of(cli, folder, defaults, {"precision": ["fp32"], "batch": [3]},
                       ["--input", text, "--weights", "trained"])
    picture = pictures_of(folder, 16)
    fed = (picture - torch.tensor(MEAN).reshape(1, 3, 1, 1)) / torch.tensor(DEVIATION).reshape(1, 3, 1, 1)
    with torch.no_grad():
        golden = model.double()(fed)
    assert (found["fp32", 3].double() - golden).abs().max() < 1e-4


def check_tensors(cli, folder):
    model = Two()
    defaults = save(folder, model, (torch.randint(0, 40, (2, 5)), torch.rand(2, 16), torch.rand(32)),
                    ({0: BATCH}, {0: BATCH}, None))
    generator = torch.Generator().manual_seed(9)
    ids = torch.randint(0, 40, (6, 5), generator=generator)
    features = torch.randn((7, 16), generator=generator).half()
    shift = torch.randn(32, generator=generator)
    (folder / "ids.txt").write_text("\n".join(" ".join(str(value) for value in row) for row in ids.tolist()))
    numpy.save(folder / "features.npy", features.numpy())
    save_file({"shift": shift, "other": ids}, folder / "all.safetensors")
    options = ["--weights", "trained", "--output", "output:classes"]
    for each in ("ids=file:" + str(folder / "ids.txt"), "features=file:" + str(folder / "features.npy"),
                 "shift=file:" + str(folder / "all.safetensors") + "#shift"):
        options += ["--input", each]
    found = outputs_of(cli, folder, defaults, {"precision": ["fp32", "int8dq"], "batch": [1, 4]}, options)
    with torch.no_grad():
        golden = model.double()(ids, features[:6].double(), shift.double())
    for batch in (1, 4):
        assert found["fp32", batch].shape == (6, 32), "as many samples as the shortest file has"
        assert (found["fp32", batch].double() - golden).abs().max() < 1e-5
    # The run has copies of its own.
    for name in ("ids.txt", "features.npy", "all.safetensors"):
        (folder / name).unlink()
    command(cli, "run", "--resume", "--retry-failed", "--out", folder / "run")
    kept = sorted(each.name for each in (folder / "run" / "inputs").glob("feed_*.npy"))
    assert kept == ["feed_0.npy", "feed_1.npy", "feed_2.npy"], kept
    bad = subprocess.run([str(cli), "inspect", folder / "model.pt2", "--input", "nothing=images"], capture_output=True,
                         text=True, check=False)
    assert bad.returncode == 2 and "ids, features, shift" in bad.stderr, bad


def check_random(cli, folder):
    """Nothing is said of quality on noise, whatever the weights are."""
    model = nn.Sequential(nn.Linear(16, 16), nn.GELU(), nn.Linear(16, 16))
    defaults = save(folder, model, (torch.rand(2, 16),), ({0: BATCH},))
    said = json.loads(command(cli, "inspect", folder / "model.pt2", "--json", "--weights", "trained", "--input",
                              "input=normal:mean=5:std=0.1"))
    assert said["inputs"] == [{"name": "input", "dtype": "float32", "shape": [1, 16], "batched": True,
                               "whole_numbers": False, "generated": {"normal": {"mean": 5.0, "std": 0.1}}}], said["inputs"]
    assert not said["outputs_mean_something"]
    for number, options in enumerate((["--weights", "trained"], ["--weights", "untrained"], [])):
        rows = rows_of(cli, folder, defaults, {"precision": ["bf16", "fp32"], "batch": [2]},
                       ["--input", "input=normal:mean=5:std=0.1", *options] if number == 0 else options,
                       name=f"run{number}")
        assert all(row["trained_weights"] not in ("true", "1", "yes") for row in rows), (options, rows[0])
        summary = (folder / f"run{number}_report" / "summary.md").read_text()
        assert "numeric deviation" in summary.lower(), summary[:2000]


class Lookup(nn.Module):
    """Token ids, as they are or not, and a table of 40 rows."""

    def __init__(self, prepare):
        super().__init__()
        self.words = nn.Embedding(40, 16)
        self.head = nn.Linear(16, 40)
        self.prepare = prepare

    def forward(self, ids):
        return self.head(self.words(self.prepare(ids)))


def check_tables(cli, folder):
    """Ids that no row belongs to are told of by the input, also where only the run finds out."""
    numpy.save(folder / "ids.npy", numpy.full((2, 5), 150))
    ways = {"moved": lambda ids: ids.unsqueeze(1).squeeze(1).flatten(1),
            "masked": lambda ids: ids.masked_fill(ids == -100, 0)}
    for way, prepare in ways.items():
        defaults = save(folder, Lookup(prepare), (torch.randint(0, 40, (2, 5)),), ({0: BATCH},))
        preset = folder / f"{way}.json"
        preset.write_text(json.dumps({"schema_version": 1, "name": way, "rounds": 1, "noise_floor": False,
                                      "defaults": {**defaults, "device": "cpu", "precision": "fp32"}}))
        run = subprocess.run([cli, "run", preset, "--out", folder / way, "--input", f"ids=file:{folder}/ids.npy"],
                             capture_output=True, text=True, check=False)
        said = run.stdout + run.stderr
        assert run.returncode != 0 and "input ids" in said and "150" in said, said
        assert ("0 to 39" in said) == (way == "moved"), said
        assert (folder / way).exists() == (way == "masked"), "what is known is said before a run"


def main(cli):
    for check in (check_images, check_classes, check_tensors, check_random, check_tables):
        with tempfile.TemporaryDirectory() as folder:
            check(cli, pathlib.Path(folder))
        print(check.__name__)


if __name__ == "__main__":
    main(sys.argv[1])
