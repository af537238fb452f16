"""Writes the golden files of the schemes: what torchao 0.18.0 makes of one linear layer on the CPU.

    python tests/golden/schemes/generate.py [FOLDER]          (torch 2.11, torchao 0.18.0, safetensors)

One file per case, with x [.., in], weight [out, in] and bias [out] in bfloat16, and
    {int8,float8_tensor,float8_row}.{x,weight}.{codes,scale}  codes and scales as torchao stores them
    {scheme}.y, {scheme}.y_bias                               output of the layer without and with bias
int8dq, int8wo and float8wo are run by torchao as a whole (bfloat16). Its float8dq asks for a GPU, so codes and scales
come from torchao and y is their product in float64, stored as float32: what every float8 kernel approximates.
    int4_{group}.weight.{codes,scale,zero}                    codes one to a byte; y of int4wo-{group} is linear() with
                                                              what torchao makes of them again, then the bias
int4wo asks for a GPU as well; the functions that it calls do not.
"""
import pathlib
import sys

import torch
import torchao
from safetensors.torch import save_file
from torchao.quantization import (Float8WeightOnlyConfig, Int8DynamicActivationInt8WeightConfig,
                                  Int8WeightOnlyConfig, PerRow, PerTensor, quantize_)
from torchao.quantization.quant_primitives import (MappingType, _choose_qparams_affine_tinygemm,
                                                   _dequantize_affine_tinygemm, _quantize_affine_tinygemm)
from torchao.quantization.quantize_.common import _choose_quant_func_and_quantize_tensor
from torchao.quantization.quantize_.workflows import Float8Tensor, QuantizeTensorToFloat8Kwargs

CASES = {  # shape of x, out, largest value: 448 · 4 makes ties in the whole tensor, the other rounds its scale
    "wide": ((40, 96), 48, 448 * 4),
    "odd_rows": ((17, 64), 80, 2480),
    "pictures": ((2, 3, 32), 16, 448 * 4),  # fewer rows than the int8 product of CUDA takes
    "groups": ((20, 512), 32, 448 * 4),  # two groups of 256 and more of the smaller ones
}
# Halfway between neighbours of e4m3 at scale 1, in the normal and the subnormal range; the last two are the next
# bfloat16 below and above such a point.
E4M3_TIES = [17, 19, -21, 23, 34, -38, 2.125, -2.375, 0.53125, 432, -400, 2**-10, 3 * 2**-10, -5 * 2**-10, 16.875, 17.125]


def special_rows(matrix, outlier):
    """Rows at which implementations part; the rest stays as it is."""
    columns = matrix.shape[1]
    steps = torch.arange(columns)
    sign = 1 - 2 * (steps % 2).float()
    matrix[0] = 0
    # Scale 1 in int8: every element lies halfway between two codes.
    matrix[1] = sign * (steps * 37 % 128 + 0.5)
    matrix[1, 5] = 127.5
    matrix[1, 6] = -127.5
    # Scale 1 in float8 rows.
    matrix[2] = torch.tensor(E4M3_TIES)[steps % len(E4M3_TIES)]
    matrix[2, 7] = -448
    matrix[3, 11] = outlier
    # The largest magnitude is negative: exactly on -127.5 steps, up to the rounding of the scale.
    matrix[4, 3] = -1.37 * matrix[4].abs().max()
    # So small that absmax / 448 is zero in bfloat16.
    matrix[5] = sign * 1e-40


def heavy_tailed(shape, outlier, generator):
    values = torch.randn(shape, generator=generator) * torch.exp(torch.randn(shape, generator=generator))
    special_rows(values.view(-1, shape[-1]), outlier)
    return values.to(torch.bfloat16)


def layer(weight, bias, config):
    module = torch.nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None, dtype=torch.bfloat16)
    module.weight = torch.nn.Parameter(weight.clone(), requires_grad=False)
    if bias is not None:
        module.bias = torch.nn.Parameter(bias.clone(), requires_grad=False)
    quantize_(module, config)
    return module


def record(out, name, x, weight):
    for part, tensor in (("x", x), ("weight", weight)):
        out[f"{name}.{part}.codes"] = tensor.qdata
        out[f"{name}.{part}.scale"] = tensor.scale


def float8_layer(out, name, x, weight, bias, granularity):
    # The steps of Float8DynamicActivationFloat8WeightConfig after its check of the GPU.
    kwargs = QuantizeTensorToFloat8Kwargs(granularity=granularity)
    quantized = Float8Tensor.from_hp(weight, granularity=granularity, act_quant_kwargs=kwargs)
    codes = _choose_quant_func_and_quantize_tensor(x, kwargs)
    record(out, name, codes, quantized)
    wide = codes.qdata.double() * codes.scale.double()
    y = wide @ (quantized.qdata.double() * quantized.scale.double()).t()
    scheme = name.replace("float8", "float8dq")
    out[f"{scheme}.y"] = y.float()
    out[f"{scheme}.y_bias"] = (y + bias.double()).float()


def int4_layer(out, x, weight, bias, group):
    # The steps of Int4WeightOnlyConfig with Int4PackingFormat.TILE_PACKED_TO_4D, which packs for the GPU after them.
    block, levels = (1, group), {"quant_min": 0, "quant_max": 15}
    scale, zero = _choose_qparams_affine_tinygemm(weight, MappingType.ASYMMETRIC, block, torch.int32,
                                                  scale_dtype=weight.dtype, zero_point_dtype=weight.dtype, **levels)
    codes = _quantize_affine_tinygemm(weight, block, scale, zero, torch.int32, **levels)
    for part, tensor in (("codes", codes.to(torch.uint8)), ("scale", scale), ("zero", zero)):
        out[f"int4_{group}.weight.{part}"] = tensor.reshape(weight.shape[0], -1)
    wide = _dequantize_affine_tinygemm(codes, block, scale, zero, torch.int32, output_dtype=weight.dtype, **levels)
    out[f"int4wo-{group}.y"] = torch.nn.functional.linear(x, wide)
    out[f"int4wo-{group}.y_bias"] = torch.nn.functional.linear(x, wide) + bias


def main(folder):
    assert torchao.__version__ == "0.18.0", torchao.__version__
    whole = {"int8dq": Int8DynamicActivationInt8WeightConfig, "int8wo": Int8WeightOnlyConfig,
             "float8wo": Float8WeightOnlyConfig}
    for number, (case, (shape, outputs, outlier)) in enumerate(CASES.items()):
        generator = torch.Generator().manual_seed(2000 + number)
        x = heavy_tailed(shape, outlier, generator)
        weight = heavy_tailed((outputs, shape[-1]), outlier, generator)
        bias = torch.randn(outputs, generator=generator).to(torch.bfloat16)
        out = {"x": x, "weight": weight, "bias": bias}
        with torch.inference_mode():
            for scheme, config in whole.items():
                out[f"{scheme}.y"] = layer(weight, None, config())(x)
                out[f"{scheme}.y_bias"] = layer(weight, bias, config())(x)
            quantized = layer(weight, None, whole["int8dq"]()).weight
            record(out, "int8", _choose_quant_func_and_quantize_tensor(x, quantized.act_quant_kwargs), quantized)
            float8_layer(out, "float8_tensor", x, weight, bias, PerTensor())
            float8_layer(out, "float8_row", x, weight, bias, PerRow())
            if case == "groups":
                for group in (32, 64, 128, 256):
                    int4_layer(out, x, weight, bias, group)
            # Both weight-only schemes store what the dynamic ones store.
            assert layer(weight, None, whole["int8wo"]()).weight.qdata.equal(out["int8.weight.codes"])
            row = layer(weight, None, whole["float8wo"]()).weight
            assert row.qdata.view(torch.uint8).equal(out["float8_row.weight.codes"].view(torch.uint8))
            assert row.scale.equal(out["float8_row.weight.scale"])
        save_file({name: tensor.contiguous() for name, tensor in out.items()}, folder / f"{case}.safetensors")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent)
