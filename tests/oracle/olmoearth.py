"""The OlmoEarth v1 encoder in plain PyTorch, in the type of its state dict; independent of the product.

`slip` makes one of the usual mistakes: "kernel" (the patch kernel is resized and not the image), "no_antialias",
"row_first" (rows before columns in the encoding of space), "quarters" (time before channel), "omega" (the usual exponent),
"scale" (positions not scaled by the patch), "month_from_one", "interleaved" (bandsets outside of time), "tanh".
"""
import math

import torch
import torch.nn.functional as F

MODALITIES = {"sentinel2_l2a": (12, ((0, 4), (4, 10), (10, 12))), "sentinel1": (2, ((0, 2),)),
              "landsat": (11, ((0, 1), (1, 11)))}
SLIPS = ("kernel", "no_antialias", "row_first", "quarters", "omega", "scale", "month_from_one", "interleaved", "tanh")


def sines(position, width, slip=None):
    index = torch.arange(width // 2, dtype=torch.float64)
    omega = 10000.0 ** -(index / (width / 2 if slip == "omega" else width * 2.0))
    angle = position.reshape(-1, 1).double() * omega
    return torch.cat([angle.sin(), angle.cos()], 1)


def tables(width):
    """The frozen ones of time and of months."""
    angle = torch.arange(12, dtype=torch.float64) / 12 * 2 * math.pi
    half = width // 8
    month = torch.cat([angle.sin().reshape(-1, 1).expand(-1, half), angle.cos().reshape(-1, 1).expand(-1, half)], 1)
    return sines(torch.arange(12), width // 4), month


def state_dict(width, depth, modalities, generator):
    """Of the encoder, as it is published."""
    state = {}

    def normal(name, *shape, deviation):
        state[f"encoder.{name}"] = (torch.randn(shape, generator=generator, dtype=torch.float64) * deviation).float()

    for name in modalities:
        _, sets = MODALITIES[name]
        for i, (first, last) in enumerate(sets):
            path = f"patch_embeddings.per_modality_embeddings.{name}.{name}__{i}.proj"
            normal(f"{path}.weight", width, last - first, 8, 8, deviation=(64 * (last - first)) ** -0.5)
            normal(f"{path}.bias", width, deviation=0.1)
        normal(f"composite_encodings.per_modality_channel_embeddings.{name}", len(sets), width // 4, deviation=0.5)
    time, month = tables(width)
    state["encoder.composite_encodings.pos_embed"] = time.float()
    state["encoder.composite_encodings.month_embed.weight"] = month.float().contiguous()
    for i in range(depth):
        for norm in ("norm1", "norm2"):
            normal(f"blocks.{i}.{norm}.weight", width, deviation=0.3)
            normal(f"blocks.{i}.{norm}.bias", width, deviation=0.1)
        for leaf, out, inner in (("attn.q", width, width), ("attn.k", width, width), ("attn.v", width, width),
                                 ("attn.proj", width, width), ("mlp.fc1", 4 * width, width),
                                 ("mlp.fc2", width, 4 * width)):
            normal(f"blocks.{i}.{leaf}.weight", out, inner, deviation=inner ** -0.5)
            normal(f"blocks.{i}.{leaf}.bias", out, deviation=0.1)
    normal("norm.weight", width, deviation=0.5)
    normal("norm.bias", width, deviation=0.1)
    normal("project_and_aggregate.projection.0.weight", width, width, deviation=0.1)
    normal("project_and_aggregate.projection.0.bias", width, deviation=0.1)
    return state


def embedded(state, name, image, patch, slip):
    """[B, h, w, T, sets, D]"""
    batch, rows, columns, steps, _ = image.shape
    parts = []
    for i, (first, last) in enumerate(MODALITIES[name][1]):
        weight = state[f"encoder.patch_embeddings.per_modality_embeddings.{name}.{name}__{i}.proj.weight"]
        bias = state[f"encoder.patch_embeddings.per_modality_embeddings.{name}.{name}__{i}.proj.bias"]
        x = image[..., first:last].permute(0, 3, 4, 1, 2).flatten(0, 1)
        if patch != 8 and slip == "kernel":
            weight = F.interpolate(weight, size=(patch, patch), mode="bicubic", antialias=True)
        elif patch != 8:
            size = (rows // patch * 8, columns // patch * 8)
            x = F.interpolate(x, size=size, mode="bicubic", antialias=slip != "no_antialias")
        x = F.conv2d(x, weight, bias, stride=weight.shape[-1])
        parts.append(x.unflatten(0, (batch, steps)).permute(0, 3, 4, 1, 2))
    return torch.stack(parts, 4)


def encoding(state, name, side, patch, times, width, sets, slip):
    quarter = width // 4
    place = torch.arange(side) * (1 if slip == "scale" else patch)
    columns = sines(place.reshape(1, -1).expand(side, -1), quarter // 2, slip).reshape(side, side, -1)
    rows = sines(place.reshape(-1, 1).expand(-1, side), quarter // 2, slip).reshape(side, side, -1)
    space = torch.cat([rows, columns] if slip == "row_first" else [columns, rows], -1)
    batch, steps, _ = times.shape
    month = (times[..., 1] - (1 if slip == "month_from_one" else 0)) % 12
    shape = (batch, side, side, steps, sets, quarter)
    full = [state[f"encoder.composite_encodings.per_modality_channel_embeddings.{name}"].expand(shape),
            state["encoder.composite_encodings.pos_embed"][:steps, None].expand(shape),
            state["encoder.composite_encodings.month_embed.weight"][month][:, None, None, :, None].expand(shape),
            space.to(times.device)[None, :, :, None, None].expand(shape)]
    if slip == "quarters":
        full[0], full[1] = full[1], full[0]
    return torch.cat(full, -1)


def forward(state, heads, patch, images, times, slip=None):
    """float64; images by the name of their modality, in the order of their tokens."""
    state = {name: value.double() for name, value in state.items()}
    width = state["encoder.norm.weight"].shape[0]
    depth = 1 + max(int(name.split(".")[2]) for name in state if name.startswith("encoder.blocks."))
    parts = []
    for name, image in images.items():
        x = embedded(state, name, image.double(), patch, slip)
        x = x + encoding(state, name, x.shape[1], patch, times, width, x.shape[4], slip)
        if slip == "interleaved":
            x = x.transpose(3, 4)
        parts.append(x.flatten(1, 4))
    x = torch.cat(parts, 1)

    def layer(y, path):
        return F.linear(y, state[f"encoder.{path}.weight"], state[f"encoder.{path}.bias"])

    def norm(y, path):
        return F.layer_norm(y, (width,), state[f"encoder.{path}.weight"], state[f"encoder.{path}.bias"], 1e-5)

    for i in range(depth):
        path = f"blocks.{i}"
        y = norm(x, f"{path}.norm1")
        q, k, v = (layer(y, f"{path}.attn.{each}").unflatten(-1, (heads, -1)).transpose(1, 2) for each in "qkv")
        scores = q @ k.transpose(-1, -2) / math.sqrt(width // heads)
        y = (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + layer(y, f"{path}.attn.proj")
        y = F.gelu(layer(norm(x, f"{path}.norm2"), f"{path}.mlp.fc1"), approximate="tanh" if slip == "tanh" else "none")
        x = x + layer(y, f"{path}.mlp.fc2")
    return norm(x, "norm")
