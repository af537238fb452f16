#!/usr/bin/env python3
"""Golden types and values of the operations in core/graph/operation.cpp, made by PyTorch.

Writes operations.json: of each operation what its schema mutates and aliases, and cases on random small tensors
with the types and values of the results. Run with the project's Python (torch 2.11): ./generate.py
"""
import json
import math
import pathlib
import random

import torch

random.seed(20261122)
torch.manual_seed(20261122)
F32, BF16, F16 = torch.float32, torch.bfloat16, torch.float16
I64, I32, I8, U8, BOOL = torch.int64, torch.int32, torch.int8, torch.uint8, torch.bool
CASES = 6


def extent(low=1, high=4):
    return random.randint(low, high)


def shape(rank=None, low=1):
    return [extent(low) for _ in range(random.randint(1, 4) if rank is None else rank)]


def tensor(size, dtype=F32, low=None, high=None):
    if dtype == BOOL:
        return torch.rand(size) > 0.5
    if dtype.is_floating_point:
        # Numbers that are written exactly in few digits.
        return (torch.randint(-16, 17, size) / 8).to(dtype)
    return torch.randint(-5 if low is None and dtype != U8 else (low or 0), 6 if high is None else high, size).to(dtype)


def floating():
    return random.choice([F32, BF16, F16])


def anything():
    return random.choice([F32, BF16, F16, I64, I32, I8, U8])


def dimension(rank):
    return random.randint(-rank, rank - 1)


def broadcastable(size):
    keep = size[random.randint(0, len(size)):]
    return [1 if random.random() < 0.3 else each for each in keep]


def unary(dtypes):
    def make():
        return {"self": tensor(shape(), random.choice(dtypes))}
    return make


def pair(dtypes=(F32, BF16, F16, I64, I32, BOOL)):
    def make():
        size = shape()
        a, b = random.choice(dtypes), random.choice(dtypes)
        left, right = tensor(size, a), tensor(broadcastable(size), b)
        return {"self": left, "other": right} if random.random() < 0.5 else {"self": right, "other": left}
    return make


def in_place():
    size = shape()
    dtype = floating()
    return {"self": tensor(size, dtype), "other": tensor(broadcastable(size), dtype)}


def number(dtypes=(F32, BF16, I64, I32)):
    def make():
        return {"self": tensor(shape(), random.choice(dtypes)), "other": random.choice([2, 3, 0.5, -1.25])}
    return make


def reduction(dtypes):
    def make():
        size = shape()
        dims = random.sample(range(len(size)), random.randint(1, len(size)))
        return {"self": tensor(size, random.choice(dtypes)), "dim": [each - random.choice([0, len(size)]) for each in dims],
                "keepdim": random.random() < 0.5}
    return make


def along(name="self", extra=None, dtypes=(F32, BF16, I64)):
    def make():
        size = shape()
        return {name: tensor(size, random.choice(dtypes)), "dim": dimension(len(size)), **(extra(size) if extra else {})}
    return make


def linear():
    lead, wide, out = shape(random.randint(0, 2)), extent(), extent()
    dtype = floating()
    case = {"input": tensor([*lead, wide], dtype), "weight": tensor([out, wide], dtype)}
    return case | ({"bias": tensor([out], dtype)} if random.random() < 0.5 else {})


def convolution():
    groups, per_group, out = random.choice([(1, 3, 4), (2, 2, 4), (3, 1, 3)])
    kernel = [random.choice([1, 2, 3]), random.choice([1, 3])]
    case = {"input": tensor([extent(), groups * per_group, random.randint(5, 9), random.randint(5, 9)]),
            "weight": tensor([out, per_group, *kernel]), "stride": [extent(1, 2), extent(1, 3)],
            "padding": [extent(0, 1), extent(0, 2)], "dilation": [extent(1, 2), extent(1, 2)], "groups": groups}
    return case | ({"bias": tensor([out])} if random.random() < 0.5 else {})


def convolution_base():
    case = convolution()
    case.setdefault("bias", None)
    return case | {"transposed": False, "output_padding": [0, 0]}


def pool(dilation):
    def make():
        kernel = [extent(1, 3), extent(1, 3)]
        case = {"self": tensor([*shape(random.randint(1, 2)), random.randint(6, 9), random.randint(6, 9)]),
                "kernel_size": kernel, "stride": random.choice([[], [1, 2], [2, 2], [3, 1]]),
                "padding": [random.randint(0, each // 2) for each in kernel], "ceil_mode": random.random() < 0.5}
        return case | ({"dilation": [extent(1, 2), extent(1, 2)]} if dilation else {})
    return make


def matmul():
    m, k, n = extent(), extent(), extent()
    batch = shape(random.randint(0, 2))
    left, right = random.choice([([k], [k]), ([m, k], [k]), ([k], [k, n]), ([*batch, m, k], [k, n]),
                                 ([*batch, m, k], [*broadcastable(batch), k, n])])
    dtype = random.choice([F32, BF16])
    return {"self": tensor(left, dtype), "other": tensor(right, dtype)}


def attention():
    batch, heads, queries, keys, width = extent(1, 2), random.choice([2, 4]), extent(1, 4), extent(1, 4), random.choice([2, 4])
    grouped = random.random() < 0.4
    key_heads = heads // 2 if grouped else heads
    dtype = random.choice([F32, BF16])
    case = {"query": tensor([batch, heads, queries, width], dtype), "key": tensor([batch, key_heads, keys, width], dtype),
            "value": tensor([batch, key_heads, keys, width], dtype)}
    kind = random.choice(["plain", "causal", "bool", "float"])
    if kind == "causal":
        case["is_causal"] = True
    elif kind == "bool":
        mask = tensor([queries, keys], BOOL)
        mask[:, 0] = True
        case["attn_mask"] = mask
    elif kind == "float":
        case["attn_mask"] = tensor([batch, 1, queries, keys], dtype)
    if random.random() < 0.5:
        case["scale"] = 0.25
    return case | ({"enable_gqa": True} if grouped else {})


def channels(size, dtype=F32):
    count = size[1]
    return {"weight": tensor([count], dtype), "bias": tensor([count], dtype), "running_mean": tensor([count], dtype),
            "running_var": tensor([count], dtype).abs() + 0.5}


def batch_norm():
    size = shape(random.choice([2, 4]))
    return {"input": tensor(size), **channels(size), "training": False, "momentum": 0.1, "eps": 1e-5, "cudnn_enabled": True}


def batch_norm_core():
    size = shape(4)
    return {"input": tensor(size), **channels(size), "momentum": 0.1, "eps": 1e-5}


def norm(name):
    def make():
        size = shape()
        ending = size[random.randrange(len(size)):]
        case = {"input": tensor(size, random.choice([F32, BF16])), "normalized_shape": ending, "eps": 1e-5}
        if random.random() < 0.5:
            case["weight"] = tensor(ending, case["input"].dtype)
        return case
    return make


def viewed(key):
    def make():
        size = random.choice([[2, 6], [3, 4, 2], [12], [2, 2, 2, 3]])
        total = torch.Size(size).numel()
        other = random.choice([s for s in ([total], [-1, 2], [2, -1], [3, -1], [total // 2, 2], [1, total, 1]) if total % 6 == 0])
        return {"self": tensor(size, anything()), key: other}
    return make


def expand():
    size = broadcastable(shape(3))
    full = [random.choice([-1, each]) if each != 1 else extent() for each in size]
    return {"self": tensor(size), "size": [extent() for _ in range(random.randint(0, 2))] + full}


def permute():
    size = shape()
    order = random.sample(range(len(size)), len(size))
    return {"self": tensor(size), "dims": [each - random.choice([0, len(size)]) for each in order]}


def transpose():
    size = shape()
    return {"self": tensor(size), "dim0": dimension(len(size)), "dim1": dimension(len(size))}


def squeezed():
    size = [random.choice([1, 1, 3]) for _ in range(random.randint(1, 4))]
    return {"self": tensor(size), "dim": dimension(len(size))}


def squeezed_dims():
    size = [random.choice([1, 1, 3]) for _ in range(random.randint(1, 4))]
    return {"self": tensor(size), "dim": random.sample(range(len(size)), random.randint(1, len(size)))}


def flatten():
    size = shape()
    first = random.randrange(len(size))
    last = random.randrange(first, len(size))
    return {"self": tensor(size), "start_dim": first - random.choice([0, len(size)]), "end_dim": last}


def slices():
    size = [random.randint(1, 7) for _ in range(random.randint(1, 3))]
    case = {"self": tensor(size), "dim": dimension(len(size))}
    for key in ("start", "end"):
        if random.random() < 0.8:
            case[key] = random.choice([random.randint(-8, 8), 9223372036854775807 if key == "end" else 0])
    return case | {"step": extent(1, 3)}


def parts():
    size = shape()
    at = random.randrange(len(size))
    total = size[at]
    sizes = []
    while total > 0:
        sizes.append(random.randint(0, total) or 1)
        total -= sizes[-1]
    return {"self": tensor(size), "split_sizes": sizes, "dim": at}


def joined(stack):
    def make():
        size = shape()
        at = random.randrange(len(size) + (1 if stack else 0))
        dtype = floating()
        tensors = []
        for _ in range(extent(1, 3)):
            each = list(size)
            if not stack:
                each[at] = extent()
            tensors.append(tensor(each, dtype))
        return {"tensors": tensors, "dim": at - random.choice([0, len(size) + (1 if stack else 0)])}
    return make


def padded():
    size = shape()
    return {"self": tensor(size), "pad": [random.randint(0, 2) for _ in range(2 * random.randint(1, len(size)))]}


def embedding():
    entries = extent(2, 5)
    return {"weight": tensor([entries, extent()], random.choice([F32, BF16])),
            "indices": tensor(shape(random.randint(1, 3)), random.choice([I64, I32]), 0, entries)}


def index_select():
    size = shape()
    at = random.randrange(len(size))
    return {"self": tensor(size), "dim": at, "index": tensor([extent()], I64, 0, size[at])}


def gather():
    size = shape()
    at = random.randrange(len(size))
    picked = [extent() if i == at else random.randint(1, each) for i, each in enumerate(size)]
    return {"self": tensor(size), "dim": at - random.choice([0, len(size)]), "index": tensor(picked, I64, 0, size[at])}


def positions(size):
    common = shape(random.randint(1, 2))
    chosen = [random.random() < 0.6 for _ in size]
    chosen[random.randrange(len(size))] = True
    indices = [tensor(broadcastable(common) or [1], I64, 0, each) if use else None for use, each in zip(chosen, size)]
    while indices[-1] is None:
        indices.pop()
    return indices


def index():
    size = shape()
    return {"self": tensor(size), "indices": positions(size)}


def index_put():
    case = index()
    target = torch.ops.aten.index.Tensor(case["self"], case["indices"]).shape
    # A place may be written twice: equal values, so that the order does not matter.
    return case | {"values": torch.full(broadcastable(list(target)), 0.5)}


def index_copy():
    size = shape()
    at = random.randrange(len(size))
    count = random.randint(1, size[at])
    source = list(size)
    source[at] = count
    return {"self": tensor(size), "dim": at, "index": torch.tensor(random.sample(range(size[at]), count)), "source": tensor(source)}


def resize(name):
    def make():
        case = {name: tensor([extent(1, 2), extent(1, 3), random.randint(4, 9), random.randint(4, 9)]),
                "output_size": [random.randint(2, 12), random.randint(2, 12)], "align_corners": False}
        return case | ({"scale_factors": None} if name == "input" else {"scales_h": None, "scales_w": None})
    return make


def scaled_mm():
    return {"self": tensor([16, 16]).to(torch.float8_e4m3fn), "mat2": tensor([16, 16]).to(torch.float8_e4m3fn).t(),
            "scale_a": torch.tensor(0.5), "scale_b": torch.tensor(2.0), "out_dtype": random.choice([F32, BF16])}


def masked():
    size = shape()
    return {"self": tensor(size), "mask": tensor(broadcastable(size), BOOL), "value": -2.0}


def where():
    size = shape()
    case = {"condition": tensor(broadcastable(size), BOOL)}
    return case | {key: tensor(broadcastable(size), floating()) for key in ("self", "other")}


def sized(low, high):
    return lambda: {"self": tensor([extent(), extent(), random.randint(2, 9), random.randint(2, 9)]),
                    "output_size": [extent(low, high), extent(low, high)]}


FLOATS, NUMBERS = [F32, BF16, F16], [F32, BF16, F16, I64, I32, U8]
OPERATIONS = {
    "aten::linear": linear, "aten::conv2d": convolution, "aten::convolution": convolution_base,
    "aten::_int_mm": lambda: {"self": tensor([extent(), 8], I8), "mat2": tensor([8, 16], I8)},
    "aten::_scaled_mm": scaled_mm,
    "aten::mm": lambda: (lambda m, k, n, d: {"self": tensor([m, k], d), "mat2": tensor([k, n], d)})(extent(), extent(), extent(), random.choice([F32, BF16])),
    "aten::addmm": lambda: (lambda m, k, n: {"self": tensor(random.choice([[n], [m, n]])), "mat1": tensor([m, k]), "mat2": tensor([k, n])})(extent(), extent(), extent()),
    "aten::bmm": lambda: (lambda b, m, k, n: {"self": tensor([b, m, k]), "mat2": tensor([b, k, n])})(extent(), extent(), extent(), extent()),
    "aten::matmul": matmul, "aten::scaled_dot_product_attention": attention,
    **{f"aten::{name}": unary([F32, BF16, F16, I64]) for name in ("abs", "neg")},
    **{f"aten::{name}": unary(FLOATS) for name in ("floor", "round", "silu")},
    "aten::relu": unary([F32, BF16, I64]),
    "aten::gelu": lambda: {"self": tensor(shape(), floating()), "approximate": random.choice(["none", "tanh"])},
    **{f"aten::{name}": unary([F32, BF16, I64, I32]) for name in ("cos", "erf", "exp", "reciprocal", "sigmoid", "sin", "tanh")},
    **{f"aten::{name}": lambda: {"self": tensor(shape(), random.choice([F32, BF16, I64])).abs() + 1} for name in ("log", "rsqrt", "sqrt")},
    **{f"aten::{name}": unary(FLOATS) for name in ("relu_", "silu_", "zero_")},
    **{f"aten::{name}": lambda: {"self": tensor(shape(random.randint(2, 3)), floating()), "diagonal": random.randint(-1, 1)} for name in ("tril", "triu")},
    "aten::logical_not": unary([F32, I64, BOOL]),
    "aten::add.Tensor": pair(), "aten::mul.Tensor": pair(), "aten::sub.Tensor": pair((F32, BF16, F16, I64, I32)),
    **{f"aten::{name}.Scalar": number() for name in ("add", "mul", "sub", "rsub")},
    **{f"aten::{name}.Tensor": in_place for name in ("add_", "mul_", "sub_", "div_")},
    "aten::maximum": pair((F32, BF16, I64, I32)), "aten::minimum": pair((F32, BF16, I64, I32)),
    **{f"aten::{name}.Tensor": pair((F32, I64, I32)) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    **{f"aten::{name}.Scalar": number() for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "aten::logical_and": pair((F32, I64, BOOL)), "aten::logical_or": pair((F32, I64, BOOL)),
    "aten::bitwise_and.Scalar": lambda: {"self": tensor(shape(), random.choice([I64, I32, U8])), "other": 3},
    "aten::bitwise_and.Tensor": pair((I64, I32, BOOL)),
    "aten::bitwise_right_shift.Tensor_Scalar": lambda: {"self": tensor(shape(), random.choice([I64, I32, U8])), "other": 1},
    "aten::clamp": lambda: {"self": tensor(shape(), random.choice([F32, BF16, I64])), "min": random.choice([-1, -0.5]), "max": random.choice([1, 0.5])},
    "aten::clamp_min": lambda: {"self": tensor(shape(), random.choice([F32, BF16, I64])), "min": random.choice([0, 0.5])},
    "aten::div.Tensor": lambda: {"self": tensor(shape(2), random.choice(NUMBERS)), "other": (tensor([1], random.choice(NUMBERS)).abs() + 1).to(random.choice(NUMBERS))},
    "aten::div.Scalar": number(), "aten::masked_fill.Scalar": masked,
    "aten::pow.Tensor_Scalar": lambda: {"self": tensor(shape(), random.choice([F32, BF16, I64])), "exponent": random.choice([2, 3, 2.0])},
    "aten::where.self": where,
    "aten::_native_batch_norm_legit_no_training": batch_norm_core, "aten::batch_norm": batch_norm,
    "aten::_softmax": along(extra=lambda size: {"half_to_float": False}, dtypes=FLOATS),
    "aten::softmax.int": along(dtypes=FLOATS),
    "aten::_upsample_bicubic2d_aa": resize("self"), "aten::_upsample_bicubic2d_aa.vec": resize("input"),
    "aten::adaptive_avg_pool2d": sized(1, 4), "aten::avg_pool2d": pool(False), "aten::max_pool2d": pool(True),
    "aten::amax": reduction([F32, BF16, I64]), "aten::amin": reduction([F32, BF16, I64]),
    "aten::argmax": lambda: (lambda size: {"self": torch.randperm(torch.Size(size).numel()).reshape(size).float(),
                                           **({"dim": dimension(len(size)), "keepdim": random.random() < 0.5} if random.random() < 0.8 else {})})(shape()),
    "aten::cumsum": along(), "aten::layer_norm": norm("layer"), "aten::rms_norm": norm("rms"),
    "aten::mean.dim": reduction(FLOATS), "aten::sum.dim_IntList": reduction([F32, BF16, I64, I32, BOOL]),
    "aten::chunk": along(extra=lambda size: {"chunks": extent(1, 5)}), "aten::detach": unary([F32, I64]), "aten::expand": expand,
    "aten::flatten.using_ints": flatten, "aten::permute": permute, "aten::reshape": viewed("shape"), "aten::view": viewed("size"),
    "aten::select.int": lambda: (lambda size, at: {"self": tensor(size), "dim": at, "index": random.randint(-size[at], size[at] - 1)})(*(lambda s: (s, random.randrange(len(s))))(shape())),
    "aten::slice.Tensor": slices, "aten::split.Tensor": along(extra=lambda size: {"split_size": extent(1, 5)}),
    "aten::split_with_sizes": parts, "aten::squeeze.dim": squeezed, "aten::squeeze.dims": squeezed_dims,
    "aten::t": lambda: {"self": tensor(shape(2))}, "aten::transpose.int": transpose, "aten::unbind.int": along(),
    "aten::unsqueeze": lambda: (lambda size: {"self": tensor(size), "dim": dimension(len(size) + 1)})(shape()),
    "aten::_to_copy": lambda: {"self": tensor(shape(), anything()), "dtype": anything()},
    "aten::to.dtype": lambda: {"self": tensor(shape(), anything()), "dtype": anything()},
    "aten::arange": lambda: {"end": random.randint(0, 9)},
    "aten::arange.start": lambda: {"start": random.randint(-3, 3), "end": random.randint(3, 9)},
    "aten::arange.start_step": lambda: random.choice([{"start": random.randint(-3, 3), "end": random.randint(3, 9), "step": extent(1, 4)},
                                                      {"start": 7, "end": random.randint(-5, 6), "step": -extent(1, 4)}]),
    "aten::cat": joined(False), "aten::stack": joined(True), "aten::clone": unary([F32, I64, BOOL]), "aten::contiguous": unary([F32, I64]),
    "aten::constant_pad_nd": padded,
    "aten::copy_": lambda: (lambda size: {"self": tensor(size), "src": tensor(broadcastable(size), anything())})(shape()),
    "aten::fill_.Scalar": lambda: {"self": tensor(shape(), anything()), "value": 3},
    "aten::full": lambda: {"size": shape(), "fill_value": random.choice([2, 0.5]), **({"dtype": BF16} if random.random() < 0.5 else {})},
    "aten::full_like": lambda: {"self": tensor(shape(), anything()), "fill_value": 2},
    "aten::ones": lambda: {"size": shape(), **({"dtype": I64} if random.random() < 0.5 else {})},
    "aten::zeros": lambda: {"size": shape(), **({"dtype": BOOL} if random.random() < 0.5 else {})},
    "aten::ones_like": unary([F32, I64]), "aten::zeros_like": unary([F32, I64]),
    "aten::embedding": embedding, "aten::gather": gather, "aten::index.Tensor": index, "aten::index_copy": index_copy,
    "aten::index_copy_": index_copy, "aten::index_put": index_put, "aten::index_put_": index_put, "aten::index_select": index_select,
}

# Those that exported programs brought; behind the others, whose cases stay as they are.
OPERATIONS |= {
    **{f"aten::{name}": unary(FLOATS) for name in ("ceil", "elu", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu",
                                                   "mish", "relu6", "sign", "softplus")},
    "aten::bitwise_not": unary([I64, I32, BOOL]),
    **{f"aten::{name}": unary(FLOATS) for name in ("hardswish_", "hardtanh_", "leaky_relu_", "relu6_", "sigmoid_", "tanh_")},
    "aten::clamp_": lambda: {"self": tensor(shape(), floating()), "min": -0.5, "max": 0.5},
    **{f"aten::{name}.Scalar": lambda: {"self": tensor(shape(), floating()), "other": random.choice([2, -0.5])}
       for name in ("add_", "mul_", "sub_", "div_")},
    "aten::bitwise_or.Tensor": pair((I64, I32, BOOL)),
    "aten::clamp_max": lambda: {"self": tensor(shape(), random.choice([F32, BF16, I64])), "max": random.choice([0, 0.5])},
    "aten::floor_divide": lambda: (lambda size: {"self": tensor(size, I64), "other": tensor(broadcastable(size), I64).abs() + 1})(shape()),
    "aten::masked_fill_.Scalar": masked,
    "aten::pow.Tensor_Tensor": lambda: (lambda size: {"self": tensor(size).abs() + 0.5, "exponent": tensor(broadcastable(size))})(shape()),
    "aten::remainder.Scalar": lambda: {"self": tensor(shape(), random.choice([F32, I64, I32])), "other": random.choice([2, 3])},
    **{f"aten::{name}.dim": along(extra=lambda size: {"keepdim": random.random() < 0.5}, dtypes=(F32, I64, BOOL, U8))
       for name in ("all", "any")},
    **{f"aten::{name}.dim": lambda: (lambda size: {"self": torch.randperm(torch.Size(size).numel()).reshape(size).float(),
                                                   "dim": dimension(len(size)), "keepdim": random.random() < 0.5})(shape())
       for name in ("max", "min")},
    "aten::group_norm": lambda: (lambda groups, size: {"input": tensor([size[0], groups * size[1], *size[2:]]), "num_groups": groups,
                                                       "weight": tensor([groups * size[1]]), "eps": 1e-5})(extent(1, 3), shape(4)),
    "aten::linalg_vector_norm": lambda: (lambda case: {**case, "ord": random.choice([2, 1])})(reduction([F32, BF16])()),
    "aten::log_softmax.int": along(dtypes=FLOATS),
    "aten::topk": lambda: (lambda size, at: {"self": torch.randperm(torch.Size(size).numel()).reshape(size).float(), "dim": at,
                                             "k": random.randint(1, size[at])})(*(lambda s: (s, random.randrange(len(s))))(shape())),
    "aten::var.correction": lambda: (lambda case: {**case, "correction": 0})(reduction([F32])()),
    **{f"aten::{name}.vec": lambda name=name: {
        "input": tensor([extent(1, 2), extent(1, 3), random.randint(2, 6), random.randint(2, 6)]),
        **({"align_corners": random.random() < 0.5} if "linear" in name else {}),
        **random.choice([{"output_size": [extent(1, 9), extent(1, 9)], "scale_factors": None},
                         {"output_size": None, "scale_factors": [2.0, 1.5]}])} for name in ("upsample_bilinear2d", "upsample_nearest2d")},
    "aten::flip": lambda: (lambda size: {"self": tensor(size), "dims": random.sample(range(len(size)), random.randint(1, len(size)))})(shape()),
    "aten::roll": lambda: (lambda size: {"self": tensor(size), "shifts": [extent() for _ in size], "dims": list(range(len(size)))})(shape()),
    "aten::repeat": lambda: (lambda size: {"self": tensor(size), "repeats": [extent(1, 3) for _ in range(len(size) + random.randint(0, 1))]})(shape(random.randint(1, 2))),
    "aten::pixel_shuffle": lambda: (lambda r: {"self": tensor([extent(), r * r * extent(), extent(), extent()]), "upscale_factor": r})(extent(1, 3)),
    "aten::conv_transpose2d.input": lambda: (lambda groups, wide, out: {
        "input": tensor([extent(), groups * wide, random.randint(2, 5), random.randint(2, 5)]), "weight": tensor([groups * wide, out, extent(1, 3), 3]),
        "bias": tensor([groups * out]), "stride": [extent(2, 3), 2], "padding": [0, extent(0, 1)], "output_padding": [extent(0, 1), 1],
        "groups": groups, "dilation": [extent(1, 2), 1]})(extent(1, 2), extent(1, 2), extent(1, 3)),
}


def type_of(value):
    return {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape)}


def stored(value):
    plain = value.to(F32) if value.dtype.is_floating_point else value.to(I64)
    return type_of(value) | {"values": plain.flatten().tolist()}


def argument(value):
    """{"kind": how core/graph stores it, "value"}"""
    if value is None:
        return {"kind": "none"}
    if isinstance(value, torch.Tensor):
        return {"kind": "tensor", "value": stored(value.contiguous())}
    if isinstance(value, bool):
        return {"kind": "bool", "value": value}
    if isinstance(value, int):
        return {"kind": "int", "value": value}
    if isinstance(value, float):
        return {"kind": "float", "value": value}
    if isinstance(value, str):
        return {"kind": "text", "value": value}
    if isinstance(value, torch.dtype):
        return {"kind": "dtype", "value": str(value).removeprefix("torch.")}
    if value and (isinstance(value[0], torch.Tensor) or any(isinstance(each, torch.Tensor) for each in value)):
        return {"kind": "tensors", "value": [None if each is None else stored(each.contiguous()) for each in value]}
    return {"kind": "floats" if value and isinstance(value[0], float) else "ints", "value": value}


def handle(name):
    base, _, overload = name.removeprefix("aten::").partition(".")
    return getattr(getattr(torch.ops.aten, base), overload or "default")


def aliased(schema, writes):
    names = [each.name for each in schema.arguments if each.alias_info is not None and each.alias_info.is_write == writes]
    return names[0] if names else ""


def run(name, given):
    copies = {key: value.clone() if isinstance(value, torch.Tensor) and not name == "aten::_scaled_mm" else value for key, value in given.items()}
    result = handle(name)(**copies)
    results = list(result) if isinstance(result, (tuple, list)) else [result]
    return {"operation": name, "arguments": [{"name": key, **argument(value)} for key, value in given.items()],
            "results": [stored(each.contiguous()) for each in results]}


def finite(name, make):
    """A case whose results JSON can hold."""
    while True:
        case = run(name, make())
        if all(math.isfinite(value) for result in case["results"] for value in result["values"]):
            return case


def main():
    torch.set_num_threads(1)
    schemas, cases = {}, []
    for name, make in OPERATIONS.items():
        schema = handle(name)._schema
        mutates = aliased(schema, True)
        schemas[name] = {"mutates": mutates, "aliases": mutates or aliased(schema, False),
                         "list": str(schema.returns[0].type) == "List[Tensor]",
                         "arguments": [each.name for each in schema.arguments]}
        with torch.inference_mode():
            cases += [finite(name, make) for _ in range(CASES)]
    target = pathlib.Path(__file__).with_name("operations.json")
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    head = json.dumps({"torch": torch.__version__.split("+")[0], "schemas": schemas}, separators=(",", ":"))[:-1]
    target.write_text(f'{head},\n"cases":[\n{lines}\n]}}\n')
    print(f"{len(OPERATIONS)} operations, {len(cases)} cases, {target.stat().st_size} bytes")


main()
