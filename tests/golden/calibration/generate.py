"""Writes the golden files of the schemes that are calibrated.

    python tests/golden/calibration/generate.py [FOLDER]      (numpy, torch 2.11, torchao 0.18.0, safetensors)

gptq.safetensors: weights solved in float64 by the elimination of columns from the inverse of the second moments (no
Cholesky factor, no blocks), so nothing is shared with the engine's way. x [samples, tokens, in]; x_dead has columns
of zeros; {setting}.{codes,scale,group,loss}. The settings are in SETTINGS.
smooth.safetensors: SmoothQuant of torchao: x, weight, bias; alpha_{a}.{factor,codes,scale,y,y_bias}.
static.safetensors: integer products in numpy int64: {case}.{x,weight,bias,range,codes,scale,input_scale,input_zero,y};
the cases are in CONVOLUTIONS and LINEARS. y is rounded once to bfloat16 from float32. Of LINEARS also what torchao's
Int8StaticActivationInt8WeightConfig makes of them: {case}.torchao.{codes,scale,input_codes,input_scale,input_zero,y}.
ranges.safetensors: ranges of x [samples, tokens, in] by sorting and by trying, in float64 on the values themselves (the
engine counts them in bins): {case}.{range,codes,input_scale,input_zero}; the cases are in RANGES.
delayed.safetensors: five passes with delayed scaling: {max,recent}.{pass}.{codes,y,history}; y is exact in float64.
"""
import pathlib
import sys

import numpy as np
import torch
from safetensors.torch import save_file

# group, order, damp, dead columns
SETTINGS = {
    "none": (32, "none", 0.01, False), "static": (32, "static", 0.01, False), "group": (32, "group", 0.01, False),
    "none_tail": (64, "none", 0.01, False), "static_tail": (64, "static", 0.01, False),
    "group_tail": (64, "group", 0.01, False), "static_strong": (32, "static", 0.1, False),
    "none_undamped": (32, "none", 0.0, False), "none_dead": (32, "none", 0.01, True),
    "static_dead": (32, "static", 0.01, True), "group_dead": (32, "group", 0.01, True),
    "static_wide": (128, "static", 0.01, False), "group_strong": (64, "group", 0.5, True),
    "none_wide": (128, "none", 0.05, True),
}


def moments_of(x):
    total = np.zeros((x.shape[2], x.shape[2]))
    for number, sample in enumerate(x.astype(np.float64)):
        total *= number / (number + 1)
        rows = sample * np.sqrt(2.0 / (number + 1))
        total += rows.T @ rows
    return total


def scales_of(weight, group):
    parts = [weight[:, first:first + group] for first in range(0, weight.shape[1], group)]
    largest = [np.maximum(np.abs(np.minimum(part.min(1), 0)), np.maximum(part.max(1), 0)) for part in parts]
    return np.maximum(np.stack(largest, 1) / 7.5, np.finfo(np.float32).eps)


def gptq(weight, moments, group, order, damp):
    columns = weight.shape[1]
    diagonal = np.diag(moments)
    perm = np.arange(columns) if order == "none" else np.argsort(-diagonal, kind="stable")
    work, second = weight[:, perm].copy(), moments[np.ix_(perm, perm)].copy()
    if order == "group":
        scale = scales_of(work, group)
        group_of = np.empty(columns, int)
        group_of[perm] = np.arange(columns) // group
    else:
        scale = scales_of(weight, group)
        group_of = np.arange(columns) // group
    dead = np.diag(second) == 0
    second[dead, dead] = 1
    work[:, dead] = 0
    second += np.eye(columns) * damp * np.diag(second).mean()
    inverse = np.linalg.inv(second)
    codes, loss = np.empty(work.shape), 0.0
    for column in range(columns):
        step = scale[:, group_of[perm[column]]]
        code = np.clip(np.rint(work[:, column] / step), -8, 7)
        codes[:, perm[column]] = code
        error = work[:, column] - code * step
        pivot = inverse[column, column]
        loss += (error**2 / pivot).sum() / 2
        work -= np.outer(error / pivot, inverse[column])
        inverse = inverse - np.outer(inverse[:, column], inverse[column]) / pivot
    return codes, scale, group_of, loss


def write_gptq(folder):
    rng = np.random.default_rng(11)
    columns = 96
    mixing = rng.standard_normal((columns, columns)) * np.exp(rng.standard_normal(columns))
    x = (rng.standard_normal((5, 40, columns)) @ mixing / 8).astype(np.float32)
    weight = rng.standard_normal((24, columns)) * np.exp(rng.standard_normal((24, columns)) / 2)
    weight[3] = 0
    weight[4, 17] = -9
    weight = torch.from_numpy(weight).to(torch.bfloat16)
    x_dead = x.copy()
    x_dead[:, :, [5, 40, 41, 95]] = 0
    out = {"x": torch.from_numpy(x), "x_dead": torch.from_numpy(x_dead), "weight": weight}
    wide = weight.double().numpy()
    for name, (group, order, damp, dead) in SETTINGS.items():
        codes, scale, group_of, loss = gptq(wide, moments_of(x_dead if dead else x), group, order, damp)
        out[f"{name}.codes"] = torch.from_numpy(codes.astype(np.int8))
        out[f"{name}.scale"] = torch.from_numpy(scale.astype(np.float32))
        out[f"{name}.group"] = torch.from_numpy(group_of.astype(np.int8))
        out[f"{name}.loss"] = torch.tensor([loss], dtype=torch.float32)
    save_file({name: tensor.contiguous() for name, tensor in out.items()}, folder / "gptq.safetensors")


def write_smooth(folder):
    import torchao
    from torchao.prototype.smoothquant.core import SmoothQuantObserver
    from torchao.quantization import Int8DynamicActivationInt8WeightConfig, quantize_
    assert torchao.__version__ == "0.18.0", torchao.__version__
    generator = torch.Generator().manual_seed(12)
    x = torch.randn((3, 14, 64), generator=generator)
    x[:, :, 9] *= 80  # the feature that SmoothQuant is made for
    x[:, :, 20] = 0
    x = x.to(torch.bfloat16)
    weight = (torch.randn((48, 64), generator=generator) / 8).to(torch.bfloat16)
    weight[:, 30] = 0
    bias = torch.randn(48, generator=generator).to(torch.bfloat16)
    out = {"x": x, "weight": weight, "bias": bias}
    for alpha in (0.5, 0.75, 1):
        observer = SmoothQuantObserver(weight, alpha)
        for sample in x:
            observer(sample.unsqueeze(0))
        factor, _, _ = observer.calculate_qparams()
        name = f"alpha_{alpha}"
        for suffix, given in (("", None), ("_bias", bias)):
            layer = torch.nn.Linear(64, 48, bias=given is not None, dtype=torch.bfloat16)
            layer.weight = torch.nn.Parameter(weight * factor, requires_grad=False)
            if given is not None:
                layer.bias = torch.nn.Parameter(given.clone(), requires_grad=False)
            quantize_(layer, Int8DynamicActivationInt8WeightConfig())
            out[f"{name}.y{suffix}"] = layer(x * (1.0 / factor)).detach()
        out[f"{name}.factor"] = factor
        out[f"{name}.codes"], out[f"{name}.scale"] = layer.weight.qdata, layer.weight.scale
    save_file({name: tensor.contiguous() for name, tensor in out.items()}, folder / "smooth.safetensors")


# x [N, C, H, W], out, kernel, stride, padding, dilation, groups, affine
CONVOLUTIONS = {
    "plain": ((2, 8, 9, 7), 16, (3, 3), (1, 1), (1, 1), (1, 1), 1, False),
    "ragged": ((1, 3, 10, 11), 5, (3, 5), (1, 1), (0, 2), (1, 1), 1, False),
    "strided": ((2, 4, 11, 9), 8, (3, 3), (2, 3), (1, 1), (1, 1), 1, True),
    "dilated": ((1, 6, 13, 12), 4, (3, 2), (1, 1), (2, 1), (2, 3), 1, True),
    "grouped": ((2, 6, 8, 8), 9, (3, 3), (1, 2), (1, 0), (1, 1), 3, True),
    "depthwise": ((1, 4, 7, 7), 4, (3, 3), (2, 2), (1, 1), (1, 1), 4, False),
    "pointwise": ((2, 16, 5, 5), 8, (1, 1), (2, 2), (0, 0), (1, 1), 1, True),
}
LINEARS = {"linear": ((3, 7, 24), 16, False), "linear_affine": ((3, 7, 24), 16, True),
           "linear_ragged": ((5, 13), 11, True)}


def quantized_weight(weight):
    flat = weight.reshape(weight.shape[0], -1)
    scale = torch.clamp(flat.abs().amax(1, keepdim=True) / 127.5, min=2.0**-23).float()
    codes = np.clip(np.rint(flat.float().numpy() * (np.float32(1) / scale.numpy())), -128, 127)
    return codes.astype(np.int64), scale


def quantized_input(x, affine):
    values = x.float().numpy()
    low, high = values.min(), values.max()
    if not affine:
        high = np.abs(values).max()
        low = -high
        scale, zero = np.maximum(high / np.float32(127.5), np.float32(2.0**-23)), np.float32(0)
    else:
        scale = np.maximum((max(high, 0) - min(low, 0)) / np.float32(255), np.float32(2.0**-23)).astype(np.float32)
        zero = np.clip(np.float32(-128) - np.rint(min(low, 0) / scale), -128, 127).astype(np.float32)
    codes = np.clip(np.rint(values * (np.float32(1) / scale)) + zero, -128, 127).astype(np.int64)
    return codes, np.float32(scale), np.float32(zero), np.array([low, high], np.float32)


def convolve(codes, weight, kernel, stride, padding, dilation, groups):
    """int64, by the definition; codes are minus their zero point."""
    padded = np.pad(codes, ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2))
    extent = [(padded.shape[i + 2] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1 for i in range(2)]
    out = np.zeros((codes.shape[0], weight.shape[0], *extent), np.int64)
    inside = codes.shape[1] // groups
    for channel in range(weight.shape[0]):
        first = channel // (weight.shape[0] // groups) * inside
        for row in range(extent[0]):
            for column in range(extent[1]):
                window = padded[:, first:first + inside,
                                row * stride[0]:row * stride[0] + dilation[0] * (kernel[0] - 1) + 1:dilation[0],
                                column * stride[1]:column * stride[1] + dilation[1] * (kernel[1] - 1) + 1:dilation[1]]
                out[:, channel, row, column] = (window * weight[channel]).sum((1, 2, 3))
    return out


def record(out, case, x, weight, bias, product, codes, scale, x_scale, zero, limits):
    """y = float32(product) · (scale of the row · scale of x) + bias, then bfloat16."""
    shape = [1, -1] + [1] * (product.ndim - 2) if product.ndim == 4 else [-1]
    factor = (scale[:, 0].numpy() * x_scale).reshape(shape)
    y = product.astype(np.float32) * factor + bias.float().numpy().reshape(shape)
    parts = {"x": x, "weight": weight, "bias": bias, "range": torch.from_numpy(limits),
             "codes": torch.from_numpy(codes.astype(np.int8)), "scale": scale,
             "input_scale": torch.tensor(x_scale), "input_zero": torch.tensor(zero),
             "y": torch.from_numpy(y).to(torch.bfloat16)}
    out.update({f"{case}.{name}": tensor for name, tensor in parts.items()})


def record_torchao(out, case, x, weight, bias, affine):
    """One scale of the whole input, given as a range of float32; a scale for each row of the weight."""
    import torchao
    from torchao.quantization import Int8StaticActivationInt8WeightConfig, PerRow, PerTensor, quantize_
    from torchao.quantization.quant_primitives import MappingType, choose_qparams_affine
    from torchao.quantization.quantize_.common import _choose_quant_func_and_quantize_tensor
    assert torchao.__version__ == "0.18.0", torchao.__version__
    mapping = MappingType.ASYMMETRIC if affine else MappingType.SYMMETRIC
    scale, zero = choose_qparams_affine(
        x.float(), mapping, tuple(x.shape), torch.int8, -128, 127, eps=torch.finfo(torch.float32).eps,
        scale_dtype=torch.float32, zero_point_dtype=torch.int8, keepdim=True)
    layer = torch.nn.Linear(*weight.t().shape, dtype=torch.bfloat16)
    layer.weight = torch.nn.Parameter(weight.clone(), requires_grad=False)
    layer.bias = torch.nn.Parameter(bias.clone(), requires_grad=False)
    quantize_(layer, Int8StaticActivationInt8WeightConfig(
        act_quant_scale=scale, act_quant_zero_point=zero if affine else None, act_mapping_type=mapping,
        granularity=[PerTensor(), PerRow()], set_inductor_config=False))
    given = layer.weight
    codes = _choose_quant_func_and_quantize_tensor(x, given.act_quant_kwargs, given.act_quant_scale,
                                                   given.act_quant_zero_point).qdata
    parts = {"codes": given.qdata, "scale": given.scale, "input_codes": codes,
             "input_scale": scale.reshape([]), "input_zero": zero.float().reshape([]), "y": layer(x).detach()}
    out.update({f"{case}.torchao.{name}": tensor.clone() for name, tensor in parts.items()})


def write_static(folder):
    generator = torch.Generator().manual_seed(13)
    out = {}
    for case, (shape, outputs, kernel, stride, padding, dilation, groups, affine) in CONVOLUTIONS.items():
        x = (torch.randn(shape, generator=generator) + (0.7 if affine else 0)).to(torch.bfloat16)
        weight = torch.randn((outputs, shape[1] // groups, *kernel), generator=generator).to(torch.bfloat16)
        bias = torch.randn(outputs, generator=generator).to(torch.bfloat16)
        codes, scale = quantized_weight(weight)
        x_codes, x_scale, zero, limits = quantized_input(x, affine)
        product = convolve(x_codes - int(zero), codes.reshape(weight.shape), kernel, stride, padding, dilation, groups)
        record(out, case, x, weight, bias, product, codes, scale, x_scale, zero, limits)
    for case, (shape, outputs, affine) in LINEARS.items():
        x = (torch.randn(shape, generator=generator) + (0.7 if affine else 0)).to(torch.bfloat16)
        weight = torch.randn((outputs, shape[-1]), generator=generator).to(torch.bfloat16)
        bias = torch.randn(outputs, generator=generator).to(torch.bfloat16)
        codes, scale = quantized_weight(weight)
        x_codes, x_scale, zero, limits = quantized_input(x, affine)
        record(out, case, x, weight, bias, (x_codes - int(zero)) @ codes.T, codes, scale, x_scale, zero, limits)
        record_torchao(out, case, x, weight, bias, affine)
        assert torch.equal(out[f"{case}.torchao.input_codes"], torch.from_numpy(x_codes.astype(np.int8)))
    save_file({name: tensor.contiguous() for name, tensor in out.items()}, folder / "static.safetensors")


# method, per cent, affine
RANGES = {"absmax": ("absmax", None, False), "absmax_affine": ("absmax", None, True),
          "percentile": ("percentile", 99.5, False), "percentile_affine": ("percentile", 99.5, True),
          "mse": ("mse", None, False), "mse_affine": ("mse", None, True)}
CANDIDATES = 100


def coded(values, low, high, affine):
    """Codes, scale and zero of values in a range that holds 0."""
    scale = max((high - low) / 255 if affine else high / 127.5, 2.0**-23)
    zero = float(np.clip(-128 - np.rint(low / scale), -128, 127)) if affine else 0.0
    return np.clip(np.rint(values / scale) + zero, -128, 127), scale, zero


def percentile_range(values, percent, affine):
    """The ends that leave at most that share outside; half of it at either end if affine."""
    outside = values.size * (1 - percent / 100)
    if not affine:
        return -np.sort(np.abs(values))[::-1][int(outside)], np.sort(np.abs(values))[::-1][int(outside)]
    ordered = np.sort(values)
    return ordered[int(outside / 2)], ordered[::-1][int(outside / 2)]


def mse_range(values, affine):
    low, high = (values.min(), values.max()) if affine else (-np.abs(values).max(), np.abs(values).max())
    errors = []
    for candidate in range(CANDIDATES, 0, -1):
        share = candidate / CANDIDATES
        codes, scale, zero = coded(values, min(low * share, 0), max(high * share, 0), affine)
        errors.append((np.square((codes - zero) * scale - values).sum(), share))
    errors.sort()
    assert errors[1][0] > 1.0005 * errors[0][0], "too near to each other to tell the engine by"
    return low * errors[0][1], high * errors[0][1]


def write_ranges(folder):
    generator = torch.Generator().manual_seed(23)
    x = torch.randn((4, 64, 24), generator=generator) + 0.4
    x[1] *= torch.randn((64, 24), generator=generator).abs() ** 3  # few values that are much larger
    x = x.to(torch.bfloat16)
    values = x.double().numpy().ravel()
    out = {"x": x}
    for case, (method, percent, affine) in RANGES.items():
        low, high = {"absmax": lambda: (values.min() if affine else -np.abs(values).max(),
                                        values.max() if affine else np.abs(values).max()),
                     "percentile": lambda: percentile_range(values, percent, affine),
                     "mse": lambda: mse_range(values, affine)}[method]()
        out[f"{case}.range"] = torch.tensor([low, high], dtype=torch.float32)
        low, high = np.float32(min(low, 0)), np.float32(max(high, 0))
        width, levels = (high - low, 255) if affine else (high, 127.5)
        scale = np.maximum(width / np.float32(levels), np.float32(2.0**-23))
        zero = np.float32(-128) - np.rint(low / scale) if affine else np.float32(0)
        codes = np.clip(np.rint(x.float().numpy() * (np.float32(1) / scale)) + zero, -128, 127)
        out[f"{case}.codes"] = torch.from_numpy(codes.astype(np.int8))
        out[f"{case}.input_scale"] = torch.tensor(scale)
        out[f"{case}.input_zero"] = torch.tensor(zero)
    for affine in ("", "_affine"):
        for method in ("percentile", "mse"):
            assert not torch.equal(out[method + affine + ".codes"], out["absmax" + affine + ".codes"])
    save_file({name: tensor.contiguous() for name, tensor in out.items()}, folder / "ranges.safetensors")


def write_delayed(folder):
    """Delayed scaling of TransformerEngine: the factor of a pass follows from the passes before it."""
    generator = torch.Generator().manual_seed(14)
    sizes = torch.tensor([1.0, 6.0, 0.5, 40.0, 0.1]).reshape(-1, 1, 1)
    x = (torch.randn((5, 18, 32), generator=generator) * sizes).to(torch.bfloat16)
    weight = torch.randn((16, 32), generator=generator).to(torch.bfloat16)
    bias = torch.randn(16, generator=generator).to(torch.bfloat16)
    start = np.array([3.0, 0.0, 2.0], np.float32)
    out = {"x": x, "weight": weight, "bias": bias, "start": torch.from_numpy(start)}
    largest = np.float32(448)

    def quantize(values, amax):
        factor = np.float32(1) if amax == 0 else largest / np.float32(amax)
        codes = torch.from_numpy(np.clip(values * factor, -largest, largest)).to(torch.float8_e4m3fn)
        return codes, np.float32(1) / factor

    wide = weight.float().numpy()
    w_codes, w_scale = quantize(wide, np.abs(wide).max())
    out["weight.codes"], out["weight.scale"] = w_codes, torch.tensor(w_scale)
    for algorithm in ("max", "recent"):
        history = start.copy()
        for step in range(x.shape[0]):
            values = x[step].float().numpy()
            codes, scale = quantize(values, history.max() if algorithm == "max" else history[0])
            exact = (codes.double().numpy() * scale) @ (w_codes.double().numpy() * w_scale).T
            out[f"{algorithm}.{step}.codes"] = codes
            out[f"{algorithm}.{step}.y"] = torch.from_numpy((exact + bias.double().numpy()).astype(np.float32))
            history = np.concatenate([[np.abs(values).max()], history[:-1]]).astype(np.float32)
            out[f"{algorithm}.{step}.history"] = torch.from_numpy(history)
    save_file({name: tensor.contiguous() for name, tensor in out.items()}, folder / "delayed.safetensors")


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent
    write_gptq(target)
    write_smooth(target)
    write_static(target)
    write_ranges(target)
    write_delayed(target)
