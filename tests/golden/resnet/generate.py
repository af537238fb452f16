#!/usr/bin/env python3
"""Writes the golden files of the ResNet family from the oracle: a narrow ResNet-18 with every tensor random.

    python tests/golden/resnet/generate.py

model.safetensors (torchvision's names, float32), images.npy [B, 3, H, W] in [-1, 1], logits.npy [B, classes] computed
in float64, and slip_NAME.npy: what the usual mistakes would give.
"""
import pathlib
import sys

import numpy
import torch
from safetensors.torch import save_file

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "oracle"))
import resnet  # noqa: E402

WIDTH, BLOCKS, CLASSES, SIDE = 4, (2, 2, 2, 2), 10, 32
MEAN = torch.tensor([0.4914, 0.4822, 0.4465], dtype=torch.float64).reshape(1, 3, 1, 1)
DEVIATION = torch.tensor([0.2023, 0.1994, 0.2010], dtype=torch.float64).reshape(1, 3, 1, 1)


def fill(name, shape, generator):
    noise = torch.randn(shape, generator=generator, dtype=torch.float64)
    if name.endswith("running_var"):
        # Small enough for epsilon to matter.
        return 10.0 ** (torch.rand(shape, generator=generator, dtype=torch.float64) * 3 - 3)
    if name.endswith("running_mean"):
        return 0.2 * noise
    if name.endswith("num_batches_tracked"):
        return torch.tensor(1000)
    if len(shape) == 4:
        return noise * (2.0 / (shape[1] * shape[2] * shape[3])) ** 0.5
    if name == "fc.weight":
        return noise / shape[1] ** 0.5
    return (1.0 + 0.2 * noise) * (0.3 if "bn2" in name else 1.0) if name.endswith("weight") else 0.2 * noise


def main():
    generator = torch.Generator().manual_seed(1843)
    state = {}
    for name, shape in resnet.shapes(WIDTH, BLOCKS, CLASSES).items():
        value = fill(name, shape, generator)
        state[name] = value if name.endswith("tracked") else value.float()
    # What the statistics divide by is multiplied again, so that activations keep their size.
    for name in [each for each in state if each.endswith("running_var")]:
        state[name.replace("running_var", "weight")] *= state[name].sqrt()
    folder = FOLDER / "w4"
    folder.mkdir(exist_ok=True)
    save_file(state, folder / "model.safetensors")
    images = (torch.rand((3, 3, SIDE, SIDE), generator=generator) * 2 - 1).float()
    numpy.save(folder / "images.npy", images.numpy())
    exact = {name: value.double() for name, value in state.items()}
    image = ((images.double() + 1) / 2 - MEAN) / DEVIATION
    logits = resnet.forward(exact, BLOCKS, image)
    numpy.save(folder / "logits.npy", logits.float().numpy())
    for slip in resnet.SLIPS:
        wrong = resnet.forward(exact, BLOCKS, image, slip)
        numpy.save(folder / f"slip_{slip}.npy", wrong.float().numpy())
        print(slip, float((wrong - logits).abs().max()))
    print("largest logit", float(logits.abs().max()))


main()
