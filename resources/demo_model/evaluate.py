"""PSNR of a ViTok model in bfloat16 and float32, per picture: of a folder of PNG pictures or of the held-out set.

    python3 resources/demo_model/evaluate.py [--model FOLDER] [--pictures FOLDER] [--size 256] [--save FOLDER]

Pictures are cropped to the central square and scaled to --size (0: as they are). Eager, on --device; the value range
is [0,1] and the output is clamped to it. Reading a folder needs Pillow; the held-out set (no --pictures) does not.
"""
import argparse
import json
import pathlib
import sys

import numpy
import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tests" / "oracle")]
import pictures  # noqa: E402
import vitok  # noqa: E402

SUFFIXES = {".png", ".jpg", ".jpeg"}


def read_picture(path, size):
    from PIL import Image
    image = Image.open(path).convert("RGB")
    if size:
        side = min(image.size)
        left, top = (image.width - side) // 2, (image.height - side) // 2
        image = image.crop((left, top, left + side, top + side)).resize((size, size), Image.Resampling.LANCZOS)
    return torch.from_numpy(numpy.array(image))


def write_pair(path, picture, outputs):
    """Input and outputs side by side."""
    from PIL import Image
    panes = [picture, *((output[0].permute(1, 2, 0).cpu() + 1).mul(127.5).round().to(torch.uint8) for output in outputs)]
    Image.fromarray(torch.cat(panes, dim=1).numpy()).save(path)


@torch.no_grad()
def reconstruct(model, picture):
    """Output [1,3,h,w] float32 in [-1,1] and PSNR in dB of a uint8 picture [h,w,3]."""
    weight = next(model.parameters())
    target = picture.to(weight.device).permute(2, 0, 1)[None].float() / 127.5 - 1
    output = model(target.to(weight.dtype)).float().clamp(-1, 1)
    error = ((output - target) / 2).square().mean()
    return output, -10 * torch.log10(error.clamp_min(1e-12)).item()


def chosen(options):
    """(name, uint8 picture) pairs."""
    if options.pictures is None:
        return [(f"held_out_{number:02d}", picture) for number, picture in enumerate(pictures.held_out())]
    paths = sorted(path for path in options.pictures.iterdir() if path.suffix.lower() in SUFFIXES)
    if not paths:
        sys.exit(f"no pictures in {options.pictures}")
    return [(path.stem, read_picture(path, options.size)) for path in paths]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", type=pathlib.Path, default=HERE, help="folder of the two safetensors files")
    parser.add_argument("--pictures", type=pathlib.Path, help="folder of pictures; without it the held-out set")
    parser.add_argument("--size", type=int, default=256, help="side in pixels; 0 keeps each picture's size")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--save", type=pathlib.Path, help="folder for input | bf16 | fp32 as PNG")
    parser.add_argument("--json", type=pathlib.Path, help="file for the results")
    options = parser.parse_args()
    models = [vitok.load(options.model, dtype, options.device) for dtype in (torch.bfloat16, torch.float32)]
    rows = []
    print(f"{'picture':28} {'bf16 dB':>8} {'fp32 dB':>8}")
    for name, picture in chosen(options):
        outputs, values = zip(*(reconstruct(model, picture) for model in models))
        rows.append({"picture": name, "bf16_db": round(values[0], 3), "fp32_db": round(values[1], 3)})
        print(f"{name:28} {values[0]:8.2f} {values[1]:8.2f}")
        if options.save:
            options.save.mkdir(parents=True, exist_ok=True)
            write_pair(options.save / f"{name}.png", picture, outputs)
    for label, pick in (("mean", lambda column: sum(column) / len(column)), ("worst", min)):
        print(f"{label:28} {pick([row['bf16_db'] for row in rows]):8.2f} {pick([row['fp32_db'] for row in rows]):8.2f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
