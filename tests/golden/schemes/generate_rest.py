"""Writes rest.safetensors: what torchao 0.18.0 makes of one linear layer in a model that is not in bfloat16.

    python tests/golden/schemes/generate_rest.py [FOLDER]          (torch 2.11, torchao 0.18.0, safetensors)

For fp16 (all in float16), fp32 (all in float32) and autocast (all in float32, run under torch.autocast to bfloat16),
with {rest}.x, .weight and .bias in that type:
    {rest}.{int8dq,int8wo,float8wo}.{codes,scale,y}    as torchao stores and runs them on the CPU, with the bias
    {rest}.int4wo.{codes,scale,zero,weight}            of groups of 32, by the functions that torchao calls on a GPU
    {rest}.plain.y                                     of a layer that is not quantized
    {rest}.int8sq.{smooth,codes,scale,y}               torchao's SmoothQuant, its products by int8dq
and in float64, of what torchao has nothing for in these types; y is rounded to float32 and without the bias:
    {rest}.int8-static.{input_scale,y}                 one scale for the whole input; the weight is that of int8dq
    {rest}.float8dq-tensor.{codes,scale,y}             one scale for the whole input and one for the whole weight
    {rest}.float8-delayed.{codes,scale,y}              the input scaled by HISTORY, the weight by its largest magnitude
    {rest}.gptq-int4.{codes,scale,y}                   weights rounded to nearest in groups of 32
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
HISTORY = (5.0, 9.0, 0.0)
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


def smooth(x, weight, bias, out, name):
    from torchao.prototype.smoothquant.core import SmoothQuantObserver
    observer = SmoothQuantObserver(weight, 0.5)
    observer(x)
    factor, _, _ = observer.calculate_qparams()
    module = layer(weight * factor, bias, CONFIGURATIONS["int8dq"])
    out.update({f"{name}.smooth": 1.0 / factor, f"{name}.codes": module.weight.qdata,
                f"{name}.scale": module.weight.scale, f"{name}.y": module(x * (1.0 / factor)).to(x.dtype)})


def exactly(x, weight, product, out, rest):
    """x and weight in the type around the layer, product the type that floats are multiplied in."""
    name = f"{rest}.int8-static"
    scale = x.float().abs().max() / 127.5
    codes = torch.clamp(torch.round(x.float() * (1 / scale)), -128, 127).double()
    w_codes, w_scale = out[f"{rest}.int8dq.codes"].double(), out[f"{rest}.int8dq.scale"].double().reshape(-1)
    out.update({f"{name}.input_scale": scale, f"{name}.y": (codes @ w_codes.t() * (scale.double() * w_scale)).float()})

    def float8(values, scale):
        return torch.clamp(values, -448, 448).to(torch.float8_e4m3fn), scale.double()

    def dynamic(tensor):
        scale = (tensor.abs().max() / 448).float()
        return float8(tensor.float() / scale, scale)

    def delayed(tensor, largest):
        factor = 448 / largest.float()
        return float8(tensor.float() * factor, 1 / factor)

    for name, of_x, of_weight in (
            ("float8dq-tensor", dynamic(x), dynamic(weight)),
            ("float8-delayed", delayed(x, torch.tensor(max(HISTORY))), delayed(weight, weight.abs().max()))):
        (codes, scale), (w_codes, w_scale) = of_x, of_weight
        out.update({f"{rest}.{name}.codes": w_codes, f"{rest}.{name}.scale": w_scale.float(),
                    f"{rest}.{name}.y": ((codes.double() @ w_codes.double().t()) * (scale * w_scale)).float()})
    groups = weight.unflatten(1, (-1, GROUP))
    scale = torch.clamp(groups.abs().amax(2, keepdim=True).double() / 7.5, min=2.0**-23).to(weight.dtype)
    codes = torch.clamp(torch.round(groups.double() / scale.double()), -8, 7)
    restored = (codes * scale.double()).to(weight.dtype).flatten(1).to(product).double()
    out.update({f"{rest}.gptq-int4.codes": (codes.flatten(1) + 8).to(torch.uint8),
                f"{rest}.gptq-int4.scale": scale.squeeze(2),
                f"{rest}.gptq-int4.y": (x.to(product).double() @ restored.t()).float()})


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
            smooth(x, weight, bias, out, f"{rest}.int8sq")
        int4(weight, out, f"{rest}.int4wo")
        exactly(x, weight, torch.bfloat16 if rest == "autocast" else dtype, out, rest)
    save_file({name: tensor.contiguous() for name, tensor in out.items()}, pathlib.Path(folder) / "rest.safetensors")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
