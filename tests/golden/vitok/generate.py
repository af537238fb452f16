"""Writes the golden files of the ViTok family from the oracle: small models, pictures, codes, reconstructions.

    python tests/golden/vitok/generate.py [FOLDER]

Per case: encoder.safetensors and decoder.safetensors (float32), picture.npy [B,3,h,w] in [-1,1], and for each type
t of fp32, bf16, fp16 code_t.npy [B,N,C] and output_t.npy [B,3,h,w], computed on the CPU with weights, picture and
all activations in that type and stored as little-endian float32. The bf16 and fp16 decoders read the code of their
own type. manifest.json has variants, shapes and `distance`: the largest and root-mean-square difference of each type
from fp32. Another implementation in the same type rounds elsewhere, independently: expect 1.4 times that distance
between the two, and allow 2 times.

The folder "shapes" has a square picture and output_NAME_fp32.npy [B,3,h,w] for each of SHAPES: rows and columns
from the middle of the picture, tokens filled up to a budget under a mask, a band of attention, and all of it at once.
"""
import json
import pathlib
import sys

import numpy
import torch

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "oracle"))
import vitok  # noqa: E402

TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
CASES = {
    # Different width, depth and head dim (32, 16) on both sides; two pictures.
    "uneven": ("w64_d1_h2-w48_d3_h3/1x8x16", (2, 3, 32, 32), 1001),
    # Head dim 72 as in the published G, and a grid that is not square (6 x 10 patches).
    "head72": ("w72_d1_h1/1x4x8", (1, 3, 24, 40), 1002),
}

SHAPED = ("w32_d2_h2/1x4x8", (2, 3, 40, 40), 1003)
# Rows and columns that are no whole number of patches (6 x 10, 10 x 6 and 9 x 6 of them), and a budget that is no multiple of anything.
SHAPES = {
    "height": {"height": 22},
    "width": {"width": 22},
    "tall": {"height": 34, "width": 21, "budget": 71},
    "budget": {"budget": 131},
    "window": {"window": 7},
    "all": {"height": 22, "budget": 71, "window": 7},
}


def fill(model, generator):
    """Weights that make every operation matter: at their usual initial values gammas would hide the blocks,
    and q/k norms of 1 would make the attention so flat that a wrong RoPE hardly shows."""
    for name, tensor in model.state_dict().items():
        noise = torch.randn(tensor.shape, generator=generator)
        if name.endswith("gamma"):
            tensor.copy_(0.4 + 0.1 * noise)
        elif name.endswith(("norm_q.weight", "norm_k.weight")):
            tensor.copy_(1.5 + 0.2 * noise)
        elif "norm" in name:
            tensor.copy_(1.0 + 0.2 * noise)
        elif name.endswith("bias"):
            tensor.copy_(0.1 * noise)
        else:
            scale = 0.3 if name.endswith("to_pixels.weight") else 1.0
            tensor.copy_(scale * noise / tensor.shape[1] ** 0.5)


def picture(shape, generator):
    """Smooth waves, an edge and a little noise per channel; uses the whole range."""
    batch, channels, height, width = shape
    y = torch.linspace(0, 1, height)[:, None]
    x = torch.linspace(0, 1, width)
    phase = torch.rand(batch, channels, 3, 1, 1, generator=generator) * 6.28
    waves = torch.sin(9 * x + phase[:, :, 0]) + torch.sin(7 * y + phase[:, :, 1])
    edge = (x + y > 0.6 + 0.1 * phase[:, :, 2]).float()
    noise = torch.randn(shape, generator=generator)
    return (0.4 * waves + edge - 0.5 + 0.05 * noise).clamp(-1, 1)


def write_npy(path, tensor):
    numpy.save(path, numpy.ascontiguousarray(tensor.float().numpy(), dtype="<f4"))


def distance(tensor, reference):
    difference = (tensor.float() - reference.float()).abs()
    return {"max": round(difference.max().item(), 6), "rms": round(difference.square().mean().sqrt().item(), 6)}


@torch.no_grad()
def write_case(folder, name, variant, shape, seed):
    generator = torch.Generator().manual_seed(seed)
    model = vitok.AutoEncoder(vitok.Variant.parse(variant)).eval()
    fill(model, generator)
    pictures = picture(shape, generator)
    folder = folder / name
    # One entry only: safetensors writes several in random order.
    vitok.save(model, folder, torch.float32, {"variant": variant})
    write_npy(folder / "picture.npy", pictures)
    entry = {"variant": variant, "seed": seed, "picture_shape": list(shape), "distance": {}}
    exact = None
    for type_name, dtype in TYPES.items():
        typed = vitok.load(folder, dtype)
        code = typed.encode(pictures.to(dtype))
        output = typed.decode(code, *shape[-2:])
        write_npy(folder / f"code_{type_name}.npy", code)
        write_npy(folder / f"output_{type_name}.npy", output)
        exact = exact or (code, output)
        entry["code_shape"] = list(code.shape)
        entry["distance"][type_name] = {"code": distance(code, exact[0]), "output": distance(output, exact[1])}
    return entry


def middle(pictures, height, width):
    """So many rows and columns from the middle; None: all."""
    height, width = height or pictures.shape[-2], width or pictures.shape[-1]
    top, left = (pictures.shape[-2] - height) // 2, (pictures.shape[-1] - width) // 2
    return pictures[..., top:top + height, left:left + width]


def run_shaped(model, pictures, height=None, width=None, budget=0, window=None):
    """What the model makes of the middle of the pictures; tokens beyond those of a picture are zeros and masked."""
    patch, pictures = model.variant.patch, middle(pictures, height, width)
    tokens = vitok.patchify(pictures, patch)
    count = tokens.shape[1]
    missing = max(0, budget - count)
    rows, columns = (torch.nn.functional.pad(index, (0, missing))
                     for index in vitok.patch_grid(*pictures.shape[-2:], patch))
    valid = (torch.arange(count + missing) < count).expand(len(pictures), -1) if budget else None
    code = model.encoder(torch.nn.functional.pad(tokens, (0, 0, 0, missing)), rows, columns, valid, window)
    decoded = model.decoder(code, rows, columns, valid, window)
    return vitok.unpatchify(decoded[:, :count], *pictures.shape[-2:], patch)


@torch.no_grad()
def write_shapes(folder):
    variant, shape, seed = SHAPED
    generator = torch.Generator().manual_seed(seed)
    model = vitok.AutoEncoder(vitok.Variant.parse(variant)).eval()
    fill(model, generator)
    pictures = picture(shape, generator)
    vitok.save(model, folder / "shapes", torch.float32, {"variant": variant})
    write_npy(folder / "shapes" / "picture.npy", pictures)
    for name, options in SHAPES.items():
        write_npy(folder / "shapes" / f"output_{name}_fp32.npy", run_shaped(model, pictures, **options))


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    torch.set_num_threads(1)  # sums are then taken in one order
    manifest = {"torch": torch.__version__.split("+")[0],
                "cases": {name: write_case(folder, name, *case) for name, case in CASES.items()}}
    write_shapes(folder)
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    main()
