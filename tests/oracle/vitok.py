"""Oracle of the ViTok auto-encoder in plain PyTorch: what the C++ family `vitok` has to agree with.

Written from the published description of the architecture alone and kept free of tricks, so that it can be
read beside a paper. It is also the network that trains the demo model, and the eager speed baseline.

Shapes: B pictures, N tokens, W width, C code channels, P patch side, D = 3 P^2, H heads, Dh = W / H.
"""
import dataclasses
import json
import math
import pathlib
import re

import torch
import torch.nn.functional as F
from safetensors import safe_open
from torch import nn

EPSILON = 1e-6
ROPE_THETA = 10000.0
DEFAULT_MLP_FACTOR = 2.67
# letter -> (width, depth, heads)
BASES = {"B": (768, 12, 12), "L": (1024, 24, 16), "G": (1728, 32, 24), "T": (3072, 40, 24),
         "E": (4096, 48, 32)}


# --- variant names -------------------------------------------------------------------------------------------

def swiglu_hidden(width, factor):
    """Hidden size of the gated MLP: the product rounded to the nearest multiple of 16, halves up."""
    return ((int(factor * width) + 8) // 16) * 16


@dataclasses.dataclass(frozen=True)
class Side:
    """Encoder or decoder stack."""
    width: int
    depth: int
    heads: int
    hidden: int

    @property
    def head_dim(self):
        return self.width // self.heads

    def __post_init__(self):
        if min(self.width, self.depth, self.heads, self.hidden) < 1:
            raise ValueError(f"width, depth, heads and hidden size must be positive: {self}")
        if self.width % self.heads:
            raise ValueError(f"width {self.width} is not divisible by {self.heads} heads")
        if self.head_dim % 4:
            raise ValueError(f"head dim {self.head_dim} is not divisible by 4, which 2D RoPE needs")


def _parse_side(text):
    """Width, depth, heads and MLP factor (None when not named) of `Ld4`, `w256_d2_h4`, `w256d2h4_m4` ..."""
    base = text[:1] if text[:1] in BASES else ""
    fields = dict(zip("wdh", BASES[base])) if base else {}
    rest = text[len(base):]
    overrides = re.findall(r"_?([wdhm])(\d+(?:\.\d+)?)", rest)
    if "".join(f"{key}{value}" for key, value in overrides) != rest.replace("_", ""):
        raise ValueError(f"cannot read the side {text!r}")
    keys = [key for key, _ in overrides]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a field is given twice in {text!r}")
    for key, value in overrides:
        fields[key] = float(value) if key == "m" else int(value)
    missing = [key for key in "wdh" if key not in fields]
    if missing:
        raise ValueError(f"side {text!r} has no base letter and lacks {', '.join(missing)}")
    return fields["w"], fields["d"], fields["h"], fields.get("m")


@dataclasses.dataclass(frozen=True)
class Variant:
    """`{enc}-{dec}/{temporal}x{patch}x{channels}`; one name stands for both sides, temporal may be left out."""
    encoder: Side
    decoder: Side
    temporal: int
    patch: int
    channels: int

    @property
    def pixels_per_token(self):
        return self.patch * self.patch * self.temporal * 3

    @staticmethod
    def parse(name):
        sides, slash, tail = name.partition("/")
        numbers = tail.split("x")
        if not slash or len(numbers) not in (2, 3) or not all(number.isdigit() for number in numbers):
            raise ValueError(f"cannot read the variant {name!r}")
        temporal, patch, channels = [1] * (3 - len(numbers)) + [int(number) for number in numbers]
        if min(temporal, patch, channels) < 1:
            raise ValueError(f"temporal, patch and channels must be positive in {name!r}")
        names = sides.split("-")
        if len(names) > 2:
            raise ValueError(f"more than two sides in {name!r}")
        parsed = [_parse_side(side) for side in names]
        # One factor for both sides: the larger of those that are in force.
        factor = max(DEFAULT_MLP_FACTOR if side[3] is None else side[3] for side in parsed)
        encoder, decoder = [Side(w, d, h, swiglu_hidden(w, factor)) for w, d, h, _ in
                            (parsed[0], parsed[-1])]
        return Variant(encoder, decoder, temporal, patch, channels)


# --- network -------------------------------------------------------------------------------------------------

class RmsNorm(nn.Module):
    """Up-casts input and weight to float32 and casts only the result back."""

    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(dim=-1, keepdim=True) + EPSILON)
        return (wide * self.weight.float()).to(x.dtype)


def rope_table(rows, columns, head_dim, dtype):
    """cos and sin [..., N, Dh/2] for integer patch positions [..., N]; float32 first, then `dtype`."""
    axis_dim = head_dim // 2
    exponent = torch.arange(0, axis_dim, 2, dtype=torch.float32, device=rows.device) / axis_dim
    frequency = 1.0 / ROPE_THETA**exponent
    angle = torch.cat([rows.float()[..., None] * frequency, columns.float()[..., None] * frequency], dim=-1)
    return angle.cos().to(dtype), angle.sin().to(dtype)


def apply_rope(x, cos, sin):
    """Turns the interleaved pairs (x[2k], x[2k+1]) of x [B,H,N,Dh]."""
    even, odd = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


class Attention(nn.Module):
    def __init__(self, side):
        super().__init__()
        self.heads = side.heads
        self.norm_q = RmsNorm(side.head_dim)
        self.norm_k = RmsNorm(side.head_dim)
        self.qkv_proj = nn.Linear(side.width, 3 * side.width, bias=False)
        self.out_proj = nn.Linear(side.width, side.width, bias=False)

    def forward(self, x, cos, sin, mask):
        qkv = self.qkv_proj(x).unflatten(-1, (3, self.heads, -1))  # [B,N,3,H,Dh]
        q, k, v = (part.transpose(1, 2) for part in qkv.unbind(2))  # [B,H,N,Dh] each
        q = apply_rope(self.norm_q(q), cos, sin)
        k = apply_rope(self.norm_k(k), cos, sin)
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out_proj(out.transpose(1, 2).flatten(2))


class SwiGlu(nn.Module):
    def __init__(self, side):
        super().__init__()
        self.fc1 = nn.Linear(side.width, 2 * side.hidden, bias=False)
        self.fc2 = nn.Linear(side.hidden, side.width, bias=False)

    def forward(self, x):
        value, gate = self.fc1(x).chunk(2, dim=-1)  # value first: the opposite of most Llama code
        return self.fc2(F.silu(gate) * value)


class LayerScale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gamma = nn.Parameter(torch.full((width,), 1e-4))

    def forward(self, x):
        return x * self.gamma


class Block(nn.Module):
    """Attention and MLP side by side on one normalised input."""

    def __init__(self, side):
        super().__init__()
        self.norm1 = RmsNorm(side.width)
        self.attn = Attention(side)
        self.ffn = SwiGlu(side)
        self.layer_scale = LayerScale(side.width)

    def forward(self, x, cos, sin, mask):
        h = self.norm1(x)
        return x + self.layer_scale(self.attn(h, cos, sin, mask) + self.ffn(h))


def _head_mask(cos, sin, valid, window):
    """Adds the head dimension to per-picture tables; bool attention mask [B,1,N,N] or [N,N].

    `valid` [B,N] is true for what is a token. `window` is the reach over the flattened row-major token index,
    a band and no box: what flash attention calls window_size=(window, window).
    """
    tokens = cos.shape[-2]
    if cos.dim() == 3:
        cos, sin = cos[:, None], sin[:, None]
    mask = None if valid is None else (valid[:, None, :, None] & valid[:, None, None, :])
    if window is not None:
        band = torch.ones(tokens, tokens, dtype=torch.bool).tril(window).triu(-window)
        mask = band if mask is None else mask & band
    return cos, sin, mask


class Encoder(nn.Module):
    """Tokens [B,N,D] to the code [B,N,C]; each token's code has mean 0 and variance 1 over C."""

    def __init__(self, variant):
        super().__init__()
        side = variant.encoder
        self.head_dim = side.head_dim
        self.patch_embed = nn.Linear(variant.pixels_per_token, side.width)
        self.encoder_blocks = nn.ModuleList(Block(side) for _ in range(side.depth))
        self.to_code = nn.Linear(side.width, variant.channels)

    def forward(self, tokens, rows, columns, valid=None, window=None):
        x = self.patch_embed(tokens)
        tables = _head_mask(*rope_table(rows, columns, self.head_dim, x.dtype), valid, window)
        for block in self.encoder_blocks:
            x = block(x, *tables)
        code = self.to_code(x)
        return F.layer_norm(code.float(), code.shape[-1:], eps=EPSILON).to(code.dtype)


class Decoder(nn.Module):
    """Code [B,N,C] to tokens [B,N,D]; neither a final norm nor a clamp."""

    def __init__(self, variant):
        super().__init__()
        side = variant.decoder
        self.head_dim = side.head_dim
        self.decoder_embed = nn.Linear(variant.channels, side.width)
        self.decoder_blocks = nn.ModuleList(Block(side) for _ in range(side.depth))
        self.to_pixels = nn.Linear(side.width, variant.pixels_per_token)

    def forward(self, code, rows, columns, valid=None, window=None):
        x = self.decoder_embed(code)
        tables = _head_mask(*rope_table(rows, columns, self.head_dim, x.dtype), valid, window)
        for block in self.decoder_blocks:
            x = block(x, *tables)
        return self.to_pixels(x)


# --- pictures and tokens -------------------------------------------------------------------------------------

def patch_grid(height, width, patch, device=None):
    """Row and column index [N] of each token, row-major; a started patch counts."""
    rows, columns = math.ceil(height / patch), math.ceil(width / patch)
    index = torch.arange(rows * columns, device=device)
    return index // columns, index % columns


def patchify(pictures, patch):
    """Pictures [B,3,h,w] in [-1,1] to tokens [B,N,3 P^2], index c P^2 + y P + x; pads with 0 (mid grey)."""
    height, width = pictures.shape[-2:]
    pictures = F.pad(pictures, (0, -width % patch, 0, -height % patch))
    grid = pictures.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))  # [B,3,rows,P,columns,P]
    return grid.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


def unpatchify(tokens, height, width, patch):
    """Inverse of patchify, cropped to height x width."""
    grid = tokens.unflatten(1, (-1, math.ceil(width / patch))).unflatten(3, (3, patch, patch))
    pictures = grid.permute(0, 3, 1, 4, 2, 5).flatten(4).flatten(2, 3)
    return pictures[..., :height, :width]


class AutoEncoder(nn.Module):
    """Encoder and decoder with pictures at both ends; picture models (temporal 1) only."""

    def __init__(self, variant):
        super().__init__()
        if variant.temporal != 1:
            raise ValueError("pictures need temporal 1")
        self.variant = variant
        self.encoder = Encoder(variant)
        self.decoder = Decoder(variant)

    def encode(self, pictures):
        rows, columns = patch_grid(*pictures.shape[-2:], self.variant.patch, pictures.device)
        return self.encoder(patchify(pictures, self.variant.patch), rows, columns)

    def decode(self, code, height, width):
        rows, columns = patch_grid(height, width, self.variant.patch, code.device)
        return unpatchify(self.decoder(code, rows, columns), height, width, self.variant.patch)

    def forward(self, pictures):
        return self.decode(self.encode(pictures), *pictures.shape[-2:])


# --- checkpoints ---------------------------------------------------------------------------------------------

def modern_key(key):
    """Name of today's two-file checkpoints for a key of the older one-file ones."""
    key = key.removeprefix("_orig_mod.")
    return re.sub(r"^(encoder|decoder)\.(\d+)\.", r"\1_blocks.\2.", key)


def read_tensors(path):
    with safe_open(str(path), framework="pt") as file:
        return {modern_key(key): file.get_tensor(key) for key in file.keys()}, file.metadata() or {}


def _side_of(tensors, prefix, width):
    indices = [int(match[1]) for key in tensors if (match := re.match(rf"{prefix}\.(\d+)\.", key))]
    if not indices:
        raise ValueError(f"no tensors named {prefix}.*")
    head_dim = tensors[f"{prefix}.0.attn.norm_q.weight"].shape[0]
    return Side(width, max(indices) + 1, width // head_dim, tensors[f"{prefix}.0.ffn.fc2.weight"].shape[1])


def variant_of(encoder, decoder):
    """The variant that tensor shapes tell; no configuration file is needed."""
    width, pixels = encoder["patch_embed.weight"].shape
    patch = math.isqrt(pixels // 3)
    if 3 * patch * patch != pixels:
        raise ValueError(f"{pixels} values per token are no square RGB patch")
    return Variant(_side_of(encoder, "encoder_blocks", width),
                   _side_of(decoder, "decoder_blocks", decoder["to_pixels.weight"].shape[1]),
                   1, patch, encoder["to_code.weight"].shape[0])


def load(folder, dtype=None, device="cpu"):
    """AutoEncoder from a folder with encoder.safetensors and decoder.safetensors, or an old model.safetensors.

    `dtype` None keeps the type of the files.
    """
    folder = pathlib.Path(folder)
    if (folder / "encoder.safetensors").exists():
        encoder, _ = read_tensors(folder / "encoder.safetensors")
        decoder, _ = read_tensors(folder / "decoder.safetensors")
    else:
        both, _ = read_tensors(folder / "model.safetensors")
        decoder = {key: value for key, value in both.items() if key.startswith(("decoder", "to_pixels"))}
        encoder = {key: value for key, value in both.items() if key not in decoder}
    with torch.device("meta"):
        model = AutoEncoder(variant_of(encoder, decoder))
    model.encoder.load_state_dict(encoder, assign=True)
    model.decoder.load_state_dict(decoder, assign=True)
    return model.to(device=device, dtype=dtype).eval()


def save(model, folder, dtype, metadata):
    """Writes encoder.safetensors and decoder.safetensors; each appears whole or not at all."""
    from safetensors.torch import save_file
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in metadata.items()}
    for name, module in (("encoder", model.encoder), ("decoder", model.decoder)):
        tensors = {key: value.detach().to("cpu", dtype).contiguous()
                   for key, value in module.state_dict().items()}
        partial = folder / f"{name}.safetensors.part"
        save_file(tensors, str(partial), metadata=texts)
        partial.chmod(0o644)  # safetensors leaves it readable for the owner alone
        partial.replace(folder / f"{name}.safetensors")
