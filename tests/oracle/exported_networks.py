"""Small networks of many architectures, exported by torch.export for tests: nothing of them is stored."""
import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F

from exported_architectures import ARCHITECTURES

BATCH = Dim("batch", min=1, max=64)


class Cnn(nn.Module):
    """Residual blocks with batch norms, activations in place, a pool and a head."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, stride=2, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(16)
        self.blocks = nn.ModuleList(nn.Sequential(
            nn.Conv2d(16, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(inplace=True),
            nn.Conv2d(16, 16, 3, padding="same"), nn.BatchNorm2d(16)) for _ in range(2))
        self.pool = nn.MaxPool2d(3, 2, 1)
        self.fc = nn.Linear(16, 16)
        for module in self.modules():
            if isinstance(module, nn.BatchNorm2d):
                nn.init.normal_(module.running_mean, std=0.2)
                nn.init.uniform_(module.running_var, 0.5, 1.5)

    def forward(self, image):
        x = self.pool(F.relu(self.norm(self.stem(image)), inplace=True))
        for block in self.blocks:
            x = F.relu_(x + block(x))
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)

    def forward(self, x, causal=False):
        batch, tokens, width = x.shape
        q, k, v = self.qkv(x).reshape(batch, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        x = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return self.proj(x.transpose(1, 2).reshape(batch, tokens, width))


class Block(nn.Module):
    def __init__(self, width, heads, causal=False):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = Attention(width, heads)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.causal = causal

    def forward(self, x):
        x = x + self.attn(self.norm1(x), self.causal)
        return x + self.mlp(self.norm2(x))


class Vit(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 32, 4, 4)
        self.cls = nn.Parameter(torch.randn(1, 1, 32))
        self.place = nn.Parameter(torch.randn(1, 17, 32) * 0.1)
        self.blocks = nn.ModuleList(Block(32, 4) for _ in range(2))
        self.norm = nn.LayerNorm(32)
        self.head = nn.Linear(32, 16)
        self.drop = nn.Dropout(0.1)

    def forward(self, image):
        x = self.patch(image).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], dim=1) + self.place
        x = self.drop(x)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


class UNet(nn.Module):
    """Group norms, skip connections, upsampling by nearest, bilinear and transposed convolution."""

    def __init__(self):
        super().__init__()
        self.down1, self.down2 = nn.Conv2d(3, 8, 3, 1, 1), nn.Conv2d(8, 16, 3, 2, 1)
        self.middle = nn.Conv2d(16, 16, 3, 1, 1)
        self.norm = nn.GroupNorm(4, 16)
        self.up = nn.ConvTranspose2d(16, 8, 2, 2)
        self.last = nn.Conv2d(24, 3, 1)

    def forward(self, image):
        first = F.silu(self.down1(image))
        x = F.silu(self.norm(self.middle(self.down2(first))))
        wide = F.interpolate(x[:, :8], scale_factor=2, mode="nearest")
        smooth = F.interpolate(self.up(x), size=image.shape[-2:], mode="bilinear", align_corners=False)
        return torch.tanh(self.last(torch.cat([first, wide, smooth], 1)))


class Encoder(nn.Module):
    """nn.TransformerEncoder with a padding mask."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.words = nn.Embedding(50, 32)

    def forward(self, tokens):
        x = self.words(tokens)
        mask = tokens == 0
        x = self.encoder(x, src_key_padding_mask=mask)
        keep = (~mask).unsqueeze(-1).to(x.dtype)
        return (x * keep).sum(1) / keep.sum(1).clamp(min=1e-6)


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        y = x.float()
        y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * y.to(x.dtype)


class CausalLm(nn.Module):
    """A Llama of one's own: rotary embedding from a buffer, grouped heads, a mask by hand, a tied head."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, 32)
        self.register_buffer("inv_freq", 1.0 / 10000 ** (torch.arange(0, 8, 2).float() / 8), persistent=False)
        self.q, self.k, self.v = nn.Linear(32, 32, False), nn.Linear(32, 16, False), nn.Linear(32, 16, False)
        self.o = nn.Linear(32, 32, False)
        self.gate, self.up, self.down = nn.Linear(32, 48, False), nn.Linear(32, 48, False), nn.Linear(48, 32, False)
        self.norm1, self.norm2, self.norm3 = RmsNorm(32), RmsNorm(32), RmsNorm(32)

    def rotate(self, x, cos, sin):
        left, right = x.chunk(2, -1)
        return x * cos + torch.cat([-right, left], -1) * sin

    def forward(self, tokens):
        batch, length = tokens.shape
        place = torch.arange(length, device=tokens.device)
        with torch.no_grad():
            angle = torch.outer(place.float(), self.inv_freq)
            angle = torch.cat([angle, angle], -1)
        cos, sin = angle.cos(), angle.sin()
        x = self.embed(tokens)
        y = self.norm1(x)
        q = self.rotate(self.q(y).view(batch, length, 4, 8).transpose(1, 2), cos, sin)
        k = self.rotate(self.k(y).view(batch, length, 2, 8).transpose(1, 2), cos, sin)
        k = k.contiguous().repeat_interleave(2, dim=1)
        v = torch.stack([self.v(y).view(batch, length, 2, 8)] * 2, 3).flatten(2, 3).transpose(1, 2)
        scores = q @ k.transpose(-1, -2) / 8 ** 0.5
        mask = torch.full((length, length), float("-inf"), device=tokens.device).triu(1)
        y = torch.softmax(scores + mask, dim=-1) @ v
        x = x + self.o(y.transpose(1, 2).contiguous().view(batch, length, -1))
        y = self.norm2(x)
        x = x + self.down(F.silu(self.gate(y)) * self.up(y))
        return F.linear(self.norm3(x), self.embed.weight)


class Embedder(nn.Module):
    """A sequence of numbers by convolutions of one dimension, pooled and normalized."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(4, 16, 5, padding=2), nn.LeakyReLU(0.1), nn.AvgPool1d(2),
                                 nn.Conv1d(16, 16, 3, stride=2, dilation=2), nn.Hardswish())
        self.fc = nn.Linear(16, 16)

    def forward(self, signal):
        return F.normalize(self.fc(self.net(signal).mean(-1)), dim=-1)


class Grouped(nn.Module):
    """Grouped and depthwise convolutions, a squeeze and excitation, pixel shuffle."""

    def __init__(self, width=16):
        super().__init__()
        self.expand = nn.Conv2d(4, width, 1)
        self.depth = nn.Conv2d(width, width, 3, padding=1, groups=width)
        self.group = nn.Conv2d(width, width, 3, padding=2, dilation=2, groups=4)
        self.squeeze, self.excite = nn.Conv2d(width, width // 4, 1), nn.Conv2d(width // 4, width, 1)

    def forward(self, x):
        y = F.relu6(self.depth(F.hardswish(self.expand(x))))
        y = self.group(y)
        y = y * F.hardsigmoid(self.excite(F.relu(self.squeeze(y.mean((2, 3), keepdim=True)))))
        return F.pixel_shuffle(y, 2)


class Several(nn.Module):
    """Several inputs, one of them without a batch, and several outputs, nested."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 8), nn.Linear(5, 8)

    def forward(self, left, right, scale):
        both = self.a(left) * scale + self.b(right)
        top, place = both.max(dim=-1)
        return {"sum": both, "pair": (torch.where(both > 0, both, 0.5), left.new_zeros(left.shape[0], 2)), "top": top}


class Stateful(nn.Module):
    """Buffers that it writes to: counts, and a cache at a place."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)
        self.register_buffer("count", torch.full((1,), 3.0))
        self.register_buffer("cache", torch.randn(4, 8))

    def forward(self, x):
        self.count.add_(1)
        self.cache.index_copy_(0, torch.tensor([1]), self.fc(x).mean(0, keepdim=True))
        return x @ self.cache.t() * self.count


class InPlace(nn.Module):
    """Writes into views of what it made, in an order that matters, and into its input."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        x.mul_(0.5)
        y = torch.zeros(x.shape[0], 16)
        y[:, :8] = self.fc(x)
        part = y[:, 4:12]
        part += 1
        part[:, 0].fill_(2.0)
        y[:, 12:].copy_(part[:, :4])
        y.clamp_(-0.75, 1.5)
        return y * x.sum(-1, keepdim=True)


class Sizes(nn.Module):
    """Arithmetic on sizes, a guard that sizes decide, and an odd resize."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(12, 12)

    def forward(self, x):
        batch, tokens, width = x.shape
        half = (tokens + 1) // 2
        y = self.fc(x)[:, :half].unflatten(-1, (width // 3, 3)).sum(-1)
        y = y.reshape(batch * half, -1).view(batch, half, width // 3)
        return F.pad(y, (1, 2)) * (1.0 / tokens) + x.new_full((half, 1), 0.5 * tokens)


def tokens(high):
    return lambda batch, size: (torch.randint(0, high, (batch, size)),)


def pixels(channels):
    return lambda batch, size: (torch.randn(batch, channels, size, size),)


# name: (module, inputs(batch, size), size at export, dynamic shapes, name of the free size, sizes to run at)
NETWORKS = {
    "cnn": (Cnn, pixels(3), 32, ({0: BATCH},), None, [32, 32]),
    "vit": (Vit, pixels(3), 16, ({0: BATCH},), None, [16, 16]),
    "unet": (UNet, pixels(3), 16, ({0: BATCH},), None, [16, 16]),
    "encoder": (Encoder, tokens(50), 9, ({0: BATCH, 1: Dim("length", min=2, max=99)},), "tokens", [9, 5]),
    "causal_lm": (CausalLm, tokens(64), 7, ({0: BATCH, 1: Dim("length", min=2, max=99)},), "tokens", [7, 12]),
    "embedding": (Embedder, lambda batch, size: (torch.randn(batch, 4, size),), 32, ({0: BATCH},), None, [32, 32]),
    "grouped": (Grouped, pixels(4), 8, ({0: BATCH},), None, [8, 8]),
    "several": (Several, lambda batch, size: (torch.randn(batch, 6), torch.randn(batch, 5), torch.rand(1, 8)), 1,
                ({0: BATCH}, {0: BATCH}, None), None, [1, 1]),
    "stateful": (Stateful, lambda batch, size: (torch.randn(batch, 8),), 1, ({0: BATCH},), None, [1, 1]),
    "in_place": (InPlace, lambda batch, size: (torch.randn(batch, 8),), 1, ({0: BATCH},), None, [1, 1]),
    "sizes": (Sizes, lambda batch, size: (torch.randn(batch, size, 12),), 6,
              ({0: BATCH, 1: Dim("length", min=3, max=99)},), "tokens", [6, 9]),
}
NETWORKS.update(ARCHITECTURES)
# Exported a second time after torch's own decompositions.
DECOMPOSED = ("vit", "causal_lm", "cnn", "stateful")


def export(name, decomposed=False):
    module, inputs, size, dynamic, *_ = NETWORKS[name]
    torch.manual_seed(7)
    model = module().eval()
    program = torch.export.export(model, inputs(3, size), dynamic_shapes=dynamic, strict=False,
                                  prefer_deferred_runtime_asserts_over_guards=True)
    return model, program.run_decompositions() if decomposed else program
