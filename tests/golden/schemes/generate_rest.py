"""Writes rest.safetensors: what torchao 0.18.0 makes of one linear layer in a model that is not in bfloat16.

    python tests/golden/schemes/generate_rest.py [FOLDER]          (torch 2.11, torchao 0.18.0, safetensors)

For fp16 (all in float16), fp32 (all in float32) and autocast (all in float32, run under torch.autocast to bfloat16),
with {rest}.x, .weight and .bias in that type:
    {rest}.{int8dq,int8wo,float8wo}.{codes,scale,y}    as torchao stores and runs them on the CPU, with the bias
    {rest}.int4wo.{codes,scale,zero,weight}            of groups of 32, by the functions that torchao calls on a GPU
    {rest}.plain.y                                     of a layer that is not quantized
"""
import pathlib
import sys

import torch
from safetensors.torch import save_file
from torchao.quantization import (Float8WeightOnlyConfig, Int8DynamicActivationInt8WeightConfig, Int8WeightOnlyConfig,
                                  quantize_)
from torchao.quantization.quant_primitives import (MappingType, _choose_qparams_affine_tinygemm,
                                                   _dequantize_affine_tinygemm, _quantize_affine_tinygemm)

GROUP = 32
CONFIGURATIONS = {"int8dq": Int8DynamicActivationInt8WeightConfig(), "int8wo": Int8WeightOnlyConfig(),
                  "float8wo": Float8WeightOnlyConfig()}


def layer(weight, bias, configuration):
    module = torch.nn.Linear(weight.shape[1], weight.shape[0], dtype=weight.dtype)
    module.weight = torch.nn.Parameter(weight.clone(), requires_grad=False)
    module.bias = torch.nn.Parameter(bias.clone(), requires_grad=False)
    if configuration is not None:
        quantize_(module, configuration)
    return module


def int4(weight, out, name):
    block = (1, GROUP)
    scale, zero = _choose_qparams_affine_tinygemm(weight, MappingType.ASYMMETRIC, block, torch.int32, 0, 15,
                                                  scale_dtype=weight.dtype, zero_point_dtype=weight.dtype)
    codes = _quantize_affine_tinygemm(weight, block, scale, zero, torch.int32, 0, 15)
    again = _dequantize_affine_tinygemm(codes, block, scale, zero, torch.int32, 0, 15, output_dtype=weight.dtype)
    out.update({f"{name}.codes": codes.to(torch.uint8), f"{name}.scale": scale, f"{name}.zero": zero,
                f"{name}.weight": again})


def main(folder):
    generator = torch.Generator().manual_seed(20261125)
    wide = {"x": torch.randn(20, 96, generator=generator) * 3, "weight": torch.randn(48, 96, generator=generator),
            "bias": torch.randn(48, generator=generator)}
    wide["weight"][0] = 0
    wide["weight"][1] = 0.125
    wide["x"][2] = 0
    out = {}
    for rest, dtype in (("fp16", torch.float16), ("fp32", torch.float32), ("autocast", torch.float32)):
        x, weight, bias = (wide[name].to(dtype, copy=True) for name in ("x", "weight", "bias"))
        out.update({f"{rest}.x": x, f"{rest}.weight": weight, f"{rest}.bias": bias})
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=rest == "autocast"):
            out[f"{rest}.plain.y"] = layer(weight, bias, None)(x).to(dtype)
            for name, configuration in CONFIGURATIONS.items():
                module = layer(weight, bias, configuration)
                out.update({f"{rest}.{name}.codes": module.weight.qdata, f"{rest}.{name}.scale": module.weight.scale,
                            f"{rest}.{name}.y": module(x).to(dtype)})
        int4(weight, out, f"{rest}.int4wo")
    save_file({name: tensor.contiguous() for name, tensor in out.items()}, pathlib.Path(folder) / "rest.safetensors")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
