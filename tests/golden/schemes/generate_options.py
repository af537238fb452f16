"""Writes options.safetensors: what the options of the schemes make of one linear layer on the CPU.

    python tests/golden/schemes/generate_options.py [FOLDER]      (torch 2.11, torchao 0.18.0, numpy, safetensors)

x, weight and bias are those of wide.safetensors; wide_tail has 80 columns, no multiple of any group; halves and
middles are both a weight and an activation.
    reduced.x.{codes,scale}              torchao's rule before 0.16, by the functions of 0.18
    division.{codes,scale}               of "halves": round(x / scale) of float32 in numpy
    float8_scale.{x,weight}.{codes,scale} torchao on the float32 copies: row scales divided in float32
    float8_reciprocal.{codes,scale}      of "middles": clamp(x · (1 / scale)) of float32 in numpy, to e4m3 by torch
    float8_tensor.{codes,scale}          torchao on the float32 copy of "half_rows" with one scale for the whole tensor
    float8_tensor_reciprocal.{codes,scale}, tensor_division.{codes,scale}   of "middle_rows" and "half_rows", one scale for
                                         all, as the two by rows above
    tensor.weight.{codes,scale}, tensor.y, tensor.y_bias   torch.ao's dynamic Linear, float32
    int4_tail_{group}.weight.{codes,scale,zero}            torchao's tinygemm rule on the whole groups and on the rest
"""
import pathlib
import sys

import numpy as np
import torch
import torchao
from safetensors.torch import load_file, save_file
from torchao.quantization.quant_primitives import (MappingType, _choose_qparams_affine_tinygemm, _choose_scale_float8,
                                                   _quantize_affine_float8, _quantize_affine_tinygemm,
                                                   choose_qparams_affine, quantize_affine)


def reduced(x):
    block = (1,) * (x.dim() - 1) + (x.shape[-1],)
    scale, zero = choose_qparams_affine(x, MappingType.SYMMETRIC, block, torch.int8, -127, 127, 1e-5)
    return quantize_affine(x, block, scale, zero, torch.int8, -127, 127), scale


def int4(weight, group):
    block, levels = (1, group), {"quant_min": 0, "quant_max": 15}
    scale, zero = _choose_qparams_affine_tinygemm(weight, MappingType.ASYMMETRIC, block, torch.int32,
                                                  scale_dtype=weight.dtype, zero_point_dtype=weight.dtype, **levels)
    codes = _quantize_affine_tinygemm(weight, block, scale, zero, torch.int32, **levels)
    rows = weight.shape[0]
    return codes.to(torch.uint8), scale.reshape(rows, -1), zero.reshape(rows, -1)


def int4_with_tail(weight, group):
    whole = weight.shape[1] // group * group
    parts = [int4(weight[:, whole:].contiguous(), weight.shape[1] - whole)]
    if whole:
        parts.insert(0, int4(weight[:, :whole].contiguous(), group))
    return [torch.cat(each, 1) for each in zip(*parts)]


def by_division(tensor, scale):
    steps = tensor.float().numpy() / scale.reshape(-1, 1).float().numpy()
    return torch.from_numpy(np.clip(np.rint(steps), -128, 127).astype(np.int8))


def main(folder):
    assert torchao.__version__ == "0.18.0", torchao.__version__
    source = pathlib.Path(__file__).resolve().parent
    wide = load_file(source / "wide.safetensors")
    x, weight, bias = wide["x"], wide["weight"], wide["bias"]
    out = {"x": x, "weight": weight, "bias": bias}
    out["reduced.x.codes"], out["reduced.x.scale"] = reduced(x)
    # Halves of codes at every scale that a bfloat16 between 1 and 2 can be.
    scales = (torch.arange(128.0, 256.0) / 128).reshape(-1, 1)
    halves = ((torch.arange(48.0) + 0.5) * scales).to(torch.bfloat16)
    halves[:, 0] = (scales[:, 0] * 127.5).to(torch.bfloat16)
    scale = (halves[:, :1] / 127.5).float()
    out["halves"], out["division.scale"] = halves, scale
    out["division.codes"] = by_division(halves, scale)
    assert (out["division.codes"] != (halves.float() * (1 / scale)).round()).sum() >= 5
    for name, tensor in (("x", x), ("weight", weight)):
        scale = _choose_scale_float8(tensor.float(), [1, tensor.shape[1]])
        scale = torch.where(scale == 0, 1.0, scale)  # where torchao gives NaN
        out[f"float8_scale.{name}.scale"] = scale
        out[f"float8_scale.{name}.codes"] = _quantize_affine_float8(tensor, scale)
    # Halfway between neighbours of e4m3, at the same scales.
    between = torch.tensor([sign * 2.0**power * (1 + (2 * step + 1) / 16) for power in range(-4, 8) for step in range(7)
                            for sign in (1, -1)])
    middles = (between * scales).to(torch.bfloat16)
    middles[:, 0] = (scales[:, 0] * 448).to(torch.bfloat16)
    scale = scale_of_middles = (middles[:, :1] / 448).float()
    out["middles"], out["float8_reciprocal.scale"] = middles, scale
    steps = torch.from_numpy(np.clip(middles.float().numpy() * (np.float32(1) / scale.numpy()), -448, 448))
    out["float8_reciprocal.codes"] = steps.to(torch.float8_e4m3fn)
    other = (middles.float() / scale).to(torch.float8_e4m3fn)
    assert (other.float() != out["float8_reciprocal.codes"].float()).sum() >= 5

    # One scale for all: the row with the most codes that depend on the way, sixteen times.
    different = (other.float() != out["float8_reciprocal.codes"].float()).sum(1).argmax()
    rows = slice(different, different + 1)
    out["middle_rows"] = middles[rows].repeat(16, 1)
    out["float8_tensor_reciprocal.scale"] = scale_of_middles[rows].reshape(()).clone()
    out["float8_tensor_reciprocal.codes"] = out["float8_reciprocal.codes"].view(torch.uint8)[rows].repeat(16, 1).view(
        torch.float8_e4m3fn)
    different = (out["division.codes"] != (halves.float() * (1 / out["division.scale"])).round()).sum(1).argmax()
    rows = slice(different, different + 1)
    out["half_rows"] = halves[rows].repeat(16, 1)
    scale = _choose_scale_float8(out["half_rows"].float(), list(out["half_rows"].shape))
    out["float8_tensor.scale"] = scale.reshape(())
    out["float8_tensor.codes"] = _quantize_affine_float8(out["half_rows"], scale)
    assert (out["half_rows"].abs().max() / 448).float() != scale
    # Of an input with a calibrated range that gives just the scale of that row.
    out["tensor_division.scale"] = out["division.scale"][rows].reshape(()).clone()
    out["tensor_division.range"] = torch.stack([-out["tensor_division.scale"], out["tensor_division.scale"]]) * 127.5
    out["tensor_division.codes"] = by_division(out["half_rows"], out["tensor_division.scale"].reshape(1))
    steps = out["half_rows"].float() * (1 / out["tensor_division.scale"])
    assert (out["tensor_division.codes"] != steps.round()).any()

    layer = torch.nn.Linear(weight.shape[1], weight.shape[0])
    layer.weight = torch.nn.Parameter(weight.float())
    layer.bias = torch.nn.Parameter(bias.float())
    dynamic = torch.ao.quantization.quantize_dynamic(torch.nn.Sequential(layer), {torch.nn.Linear})[0]
    out["tensor.weight.codes"] = dynamic.weight().int_repr()
    out["tensor.weight.scale"] = torch.tensor(dynamic.weight().q_scale(), dtype=torch.float32)
    out["tensor.y_bias"] = dynamic(x.float()).detach()
    layer.bias = None
    dynamic = torch.ao.quantization.quantize_dynamic(torch.nn.Sequential(layer), {torch.nn.Linear})[0]
    out["tensor.y"] = dynamic(x.float()).detach()

    tail = torch.randn((24, 80), generator=torch.Generator().manual_seed(2010)).to(torch.bfloat16)
    out["wide_tail"] = tail
    for group in (32, 64, 128):
        for part, tensor in zip(("codes", "scale", "zero"), int4_with_tail(tail, group)):
            out[f"int4_tail_{group}.weight.{part}"] = tensor
    save_file({name: tensor.contiguous() for name, tensor in out.items()}, folder / "options.safetensors")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent)
