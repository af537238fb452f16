#!/usr/bin/env python3
"""Programs that Inductor compiles for a GPU, run from the command line and held against PyTorch.

    check_packages.py BUNDLE OUT          (BUNDLE from packaging/node.sh; rows and what was said go to OUT)

A package of AOTInductor is tried and swept as it is, in a worker that has shut itself off; cells that we compile are
verified against eager: a decoder whose place moves on, one package for every batch, float8 within other types.
"""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import warnings

import numpy
import torch
from torch import nn
import torch._inductor

warnings.filterwarnings("ignore")
QUICK = {"minimum_warmup_seconds": 0.05, "maximum_warmup_seconds": 0.2, "minimum_sample_seconds": 0.05,
         "maximum_sample_seconds": 0.2}
SMALL = {"model": "vitok:w256_d2_h4-w256_d2_h4/1x16x64", "image_size": 128}
CELLS = [
    ("decoder", {"model": "llama:w128_d3_h4_f256_v512_c256_pairs", "batch": 4, "prompt_tokens": 64, "new_tokens": 2},
     {"compile": ["inductor-default", "inductor-reduce-overhead"], "precision": ["bf16"]}),
    ("batches", SMALL, {"compile": ["inductor-default:shapes=dynamic"], "precision": ["bf16", "int8dq"],
                        "batch": [2, 8]}),
    ("rest", SMALL, {"precision": [f"{scheme}:rest={rest}" for scheme in ("float8dq-row", "float8dq-tensor", "float8-delayed")
                                   for rest in ("fp16", "autocast")], "batch": [2]}),
]


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(64, 256), nn.Linear(256, 16)

    def forward(self, x):
        return self.down(nn.functional.gelu(self.up(x))).softmax(-1)


class Bundle:
    def __init__(self, bundle, out):
        self.program, self.out = bundle / "quantscope-node", out

    def call(self, *arguments):
        answer = subprocess.run([self.program, "quantscope-cli", *map(str, arguments)], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, check=False)
        with open(self.out / "said.log", "a", encoding="utf-8") as log:
            log.write(f"{' '.join(map(str, arguments))}\n{answer.stdout}{answer.stderr}\n")
        return answer

    def sweep(self, name, defaults, axes, *options, **more):
        """The cells of report.json."""
        preset = {"schema_version": 1, "name": name, "rounds": 1, "noise_floor": False, "measurement": QUICK, "axes": axes,
                  "defaults": {"device": "cuda:0", "compile": "none", **defaults}, **more}
        (self.out / f"{name}.json").write_text(json.dumps(preset))
        self.call("run", self.out / f"{name}.json", "--out", self.out / name, *options)
        self.call("report", self.out / name, "--out", self.out / f"{name}_report")
        return json.loads((self.out / f"{name}_report" / "report.json").read_text())["cells"]


def check_package(bundle):
    torch.manual_seed(1)
    mixer = Mixer().eval().cuda()
    file = bundle.out / "mixer.pt2"
    program = torch.export.export(mixer, (torch.randn(3, 64).cuda(),),
                                  dynamic_shapes=({0: torch.export.Dim("n", min=2, max=64)},))
    torch._inductor.aoti_compile_and_package(program, package_path=str(file))
    trust = ("--trust", hashlib.sha256(file.read_bytes()).hexdigest())
    tried = bundle.call("convert", file, "--input", "x=float32[batch,64]", *trust)
    if tried.returncode:
        return [f"package: {tried.stdout}{tried.stderr}"]
    x = torch.randn(16, 64)
    numpy.save(bundle.out / "x.npy", x.numpy())
    packaged = {"model": str(file), "precision": "as-packaged", "compile": "as-packaged"}
    cells = bundle.sweep("package", packaged, {"batch": [2, 16]}, *trust,
                         model_io={"inputs": {"x": f"file:{bundle.out}/x.npy"}})
    wrong = [f"package: {each['config']['batch']} {each['status']}" for each in cells if each["status"] != "ok"]
    for each in cells:
        files = sorted((bundle.out / "package" / "cells" / each["cell"]).glob("output_*.npy"),
                       key=lambda file: int(file.stem.split("_")[1]))
        given = torch.stack([torch.from_numpy(numpy.load(one)) for one in files])
        with torch.no_grad():
            far = (given - mixer(x.cuda()).cpu()).abs().max().item()
        print(f"package · batch {each['config']['batch']} · {each['status']} · {far:.1e} from PyTorch")
        if far > 1e-5:
            wrong.append(f"package: {far} from PyTorch")
    return wrong


def main():
    bundle = Bundle(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    bundle.out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("HOME", str(bundle.out))
    wrong = check_package(bundle)
    for name, defaults, axes in CELLS:
        for each in bundle.sweep(name, defaults, axes):
            print(f"{name} · {each['label']} · {each['status']} · {each.get('reason') or ''}")
            if each["status"] != "ok":
                wrong.append(f"{name}: {each['label']}: {each['status']}")
    print("\n".join(wrong) or "all agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
