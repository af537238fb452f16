#!/usr/bin/env python3
"""OlmoEarth encoders with real key names, from the command line, against an oracle in float64.

    test_olmoearth.py CLI

Checkpoints are made here: nano and tiny, random weights, the frozen tables as published. Inputs are .npy files. Each usual
mistake must be far away.
"""
import pathlib
import sys
import tempfile

import numpy
import torch
from safetensors.torch import save_file

import olmoearth
from sweeps import outputs_of

CASES = {  # name: width, depth, heads, modalities, tile, patch, steps
    "nano": (128, 4, 8, ("sentinel2_l2a", "sentinel1", "landsat"), 10, 4, 3),
    "nano_whole": (128, 4, 8, ("sentinel2_l2a",), 17, 8, 12),
    "tiny": (192, 12, 3, ("sentinel2_l2a", "landsat"), 4, 2, 2),
}


def check(cli, folder, name, generator):
    width, depth, heads, modalities, tile, patch, steps = CASES[name]
    state = olmoearth.state_dict(width, depth, modalities, generator)
    save_file(state, folder / "weights.safetensors")
    images = {each: torch.rand((3, tile, tile, steps, olmoearth.MODALITIES[each][0]), generator=generator)
              for each in modalities}
    times = torch.randint(0, 12, (3, steps, 3), generator=generator)
    inputs = []
    for each, value in {**images, "timestamps": times}.items():
        numpy.save(folder / f"{each}.npy", value.numpy())
        inputs += ["--input", f"{each}=file:{folder / each}.npy"]
    defaults = {"model": str(folder), "tile_size": tile, "patch_size": patch, "time_steps": steps}
    found = outputs_of(cli, folder, defaults, {"precision": ["fp32", "int8dq"], "batch": [1, 2]}, inputs)
    golden = olmoearth.forward(state, heads, patch, images, times)
    for batch in (1, 2):
        ours = found["fp32", batch].double()
        distance = (ours - golden).abs().max().item()
        assert distance <= 1e-5 * max(1.0, golden.abs().max().item()), f"{name} batch {batch}: {distance}"
        assert (found["int8dq", batch].double() - golden).abs().max().item() < 0.3 * golden.abs().max().item(), name
    for slip in olmoearth.SLIPS:
        if patch == 8 and slip in ("kernel", "no_antialias"):
            continue  # nothing is resized
        far = (olmoearth.forward(state, heads, patch, images, times, slip) - golden).abs().max().item()
        assert far > (1e-4 if slip == "tanh" else 0.05), f"{name}: {slip} would not be seen, {far}"
    print(name, "tokens", golden.shape[1])


def main(cli):
    generator = torch.Generator().manual_seed(5)
    for name in CASES:
        with tempfile.TemporaryDirectory() as folder:
            check(cli, pathlib.Path(folder), name, generator)


if __name__ == "__main__":
    main(sys.argv[1])
