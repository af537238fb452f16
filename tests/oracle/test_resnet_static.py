"""ResNet-18 under int8-static, end to end, against a network of whole numbers that shares no code with the product.

Usage: test_resnet_static.py QUANTSCOPE_CLI

The command line writes the quantized network as a program, of which nothing but the scales and zero points of the inputs
are taken; weights come from the unquantized checkpoint. Batch norms are folded, weights rounded and products summed
here: in float64 for folding, as whole numbers for products. What lies between the layers is rounded to bfloat16, which
is the working type. Sums of whole numbers are exact, so that logits are equal bit by bit, as long as folding in float32
gives the same codes and the mean in the end is rounded to the same number: BOUND leaves room for a last bit of it.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F
from safetensors.torch import load_file

CLI = ""
MODEL = "resnet:18/10"
BLOCKS = (2, 2, 2, 2)
MEAN = torch.tensor([0.4914, 0.4822, 0.4465]).reshape(1, 3, 1, 1)
DEVIATION = torch.tensor([0.2023, 0.1994, 0.2010]).reshape(1, 3, 1, 1)
LAYERS = "regex:."
SIDE = 64
# Of the largest logit.
BOUND = 2.0**-9
SWEEP = {"schema_version": 1, "name": "static", "axes": {}, "rounds": 1, "noise_floor": False,
         "measurement": {"warmup_samples": 0, "minimum_samples": 1, "maximum_samples": 1},  # only outputs are looked at
         "pictures": {"source": "procedural", "count": 2}}


def narrow(x):
    return x.to(torch.bfloat16).double()


class Network:
    """`slip` makes one of the usual mistakes: "zero" (the zero point is left out), "round" (halves away from zero),
    "fold" (a batch norm's shift is left out), "tensor" (one scale for all rows of a weight)."""

    def __init__(self, weights, inputs, slip=None):
        self.weights, self.inputs, self.slip = weights, inputs, slip

    def folded(self, name, norm):
        weight = self.weights[f"{name}.weight"].double()
        if norm is None:
            return weight, self.weights[f"{name}.bias"].double()
        gamma, beta, mean, variance = (self.weights[f"{norm}.{leaf}"].double()
                                       for leaf in ("weight", "bias", "running_mean", "running_var"))
        factor = gamma / (variance + 1e-5).sqrt()
        shift = torch.zeros_like(beta) if self.slip == "fold" else beta - mean * factor
        return narrow(weight * factor.reshape(-1, 1, 1, 1)), narrow(shift)

    def codes(self, values, scale, zero=0.0):
        steps = values.float() * (1 / scale)
        whole = torch.sign(steps) * torch.floor(steps.abs() + 0.5) if self.slip == "round" else steps.round()
        return (whole + zero).clamp(-128, 127).double()

    def layer(self, x, name, norm, **window):
        weight, bias = self.folded(name, norm)
        flat = weight.reshape(weight.shape[0], -1).to(torch.bfloat16)
        largest = flat.abs().amax() if self.slip == "tensor" else flat.abs().amax(1)
        scale = (largest / 127.5).float().clamp(min=2.0**-23).expand(flat.shape[0])
        codes = self.codes(flat, scale.reshape(-1, 1)).reshape(weight.shape)
        x_scale, zero = self.inputs[name]
        whole = self.codes(x, x_scale, zero) - (0 if self.slip == "zero" else zero)
        if weight.dim() == 2:
            product = F.linear(whole, codes)
        else:  # 0 is a code of its own, so that padding before and after quantizing are the same
            product = F.conv2d(whole, codes, **window)
        assert product.abs().max() < 2**31
        shape = (1, -1) + (1,) * (product.dim() - 2)
        y = product.float() * (scale * x_scale).reshape(shape) + bias.float().reshape(shape)
        return narrow(y)

    def block(self, x, path, stride):
        y = F.relu(self.layer(x, f"{path}.conv1", f"{path}.bn1", stride=stride, padding=1))
        y = self.layer(y, f"{path}.conv2", f"{path}.bn2", padding=1)
        if f"{path}.downsample.0.weight" in self.weights:
            x = self.layer(x, f"{path}.downsample.0", f"{path}.downsample.1", stride=stride)
        return F.relu(narrow(y + x))

    def logits(self, image):
        x = F.relu(self.layer(image, "conv1", "bn1", stride=2, padding=3))
        x = F.max_pool2d(x, 3, 2, 1)
        for layer, count in enumerate(BLOCKS):
            for index in range(count):
                x = self.block(x, f"layer{layer + 1}.{index}", 2 if layer > 0 and index == 0 else 1)
        return self.layer(narrow(x.mean((2, 3))), "fc", None)


class ResnetStatic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.place = Path(cls.folder.name)
        cls.quantize("bf16", "quantscope", "exact")
        cls.weights = load_file(cls.place / "exact" / "model.safetensors")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_cli(cls, *arguments):
        environment = dict(os.environ, QUANTSCOPE_CACHE=str(cls.place / "cache"))
        ran = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, env=environment, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr

    @classmethod
    def quantize(cls, precision, form, name):
        cls.run_cli("quantize", MODEL, "--precision", precision, "--layers", LAYERS, "--size", f"image_size={SIDE}",
                    "--format", form, "--out", cls.place / name)

    def inputs_of(self, precision, name):
        """Scale and zero point of each layer's input."""
        self.quantize(precision, "pt2", name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parts = torch.export.load(self.place / name / "network.pt2").state_dict
        ending = ".weight:input_scale"
        found = {key[:-len(ending)]: (value, parts.get(key.replace("scale", "zero"), torch.tensor(0.0)))
                 for key, value in parts.items() if key.endswith(ending)}
        self.assertEqual(len(found), 21)
        for name in ("layer1.0.conv1", "layer4.1.conv2", "fc"):
            codes = parts[f"{name}.weight:codes"]
            self.assertEqual(codes.dtype, torch.int8)
        return found

    def outputs_of(self, precision, name):
        """Logits of the run, and the images that went in."""
        sweep = dict(SWEEP, defaults={"model": MODEL, "device": "cpu", "precision": precision, "image_size": SIDE,
                                      "batch": 2, "layers": LAYERS})
        (self.place / f"{name}.json").write_text(json.dumps(sweep))
        run = self.place / name
        self.run_cli("run", self.place / f"{name}.json", "--out", run)
        image = torch.from_numpy(numpy.load(run / "inputs" / f"pictures_{SIDE}.npy"))
        cells = json.loads((run / "plan.json").read_text())["cells"]
        cell = next(each["id"] for each in cells if each["configuration"]["precision"] == precision)
        logits = [numpy.load(run / "cells" / cell / f"output_{index}.npy").ravel() for index in range(2)]
        return torch.from_numpy(numpy.stack(logits)).double(), narrow(((image + 1) / 2 - MEAN) / DEVIATION)

    def check(self, precision, name, slips):
        inputs = self.inputs_of(precision, f"{name}-program")
        logits, image = self.outputs_of(precision, f"{name}-run")
        size = logits.abs().max().item()
        own = Network(self.weights, inputs).logits(image)
        distance = (own - logits).abs().max().item() / size
        self.assertLessEqual(distance, BOUND)
        for slip in slips:
            wrong = Network(self.weights, inputs, slip).logits(image)
            self.assertGreater((wrong - logits).abs().max().item() / size, 8 * BOUND, slip)

    def test_symmetric(self):
        self.check("int8-static:samples=4", "symmetric", ("round", "fold", "tensor"))

    def test_affine(self):
        self.check("int8-static:range=affine:samples=4", "affine", ("zero", "fold", "tensor"))


if __name__ == "__main__":
    CLI = sys.argv.pop(1)
    unittest.main()
