"""More networks for torch.export; rows as in exported_networks.NETWORKS."""
import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F

BATCH = Dim("batch", min=1, max=64)


def tokens(high):
    return lambda batch, size: (torch.randint(0, high, (batch, size)),)


def pixels(channels):
    return lambda batch, size: (torch.randn(batch, channels, size, size),)


class EncoderDecoder(nn.Module):
    """nn.Transformer between two languages, with a causal mask that it makes itself."""

    def __init__(self, width=32, layers=1, words=50):
        super().__init__()
        self.source, self.target = nn.Embedding(words, width), nn.Embedding(words, width)
        self.transformer = nn.Transformer(width, 4, layers, layers, 2 * width, batch_first=True)
        self.out = nn.Linear(width, words)

    def forward(self, source, target):
        length = target.shape[1]
        mask = torch.full((length, length), float("-inf"), device=target.device).triu(1)
        return self.out(self.transformer(self.source(source), self.target(target), tgt_mask=mask,
                                         tgt_is_causal=False))


class Bert(nn.Module):
    """Words, places and segments, a padding mask of large numbers, a pooled first token: two outputs."""

    def __init__(self, width=32, heads=4):
        super().__init__()
        self.words, self.places, self.segments = (nn.Embedding(each, width) for each in (60, 64, 2))
        self.register_buffer("place_ids", torch.arange(64).expand(1, -1), persistent=False)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.query, self.key, self.value, self.dense = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.pooler, self.heads = nn.Linear(width, width), heads

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).permute(0, 2, 1, 3)

    def forward(self, ids, mask):
        length = ids.shape[1]
        x = self.words(ids) + self.places(self.place_ids[:, :length]) + self.segments(torch.zeros_like(ids))
        x = self.norm(x)
        wide = (1.0 - mask[:, None, None, :].to(x.dtype)) * -10000.0
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        weights = torch.softmax(torch.matmul(q, k.transpose(-1, -2)) / q.shape[-1] ** 0.5 + wide, -1)
        y = torch.matmul(weights, v).permute(0, 2, 1, 3).contiguous()
        x = self.norm1(x + self.dense(y.view(y.shape[0], length, -1)))
        x = self.norm2(x + self.down(F.gelu(self.up(x))))
        return x, torch.tanh(self.pooler(x[:, 0]))


class Mixer(nn.Module):
    """MLPs over tokens and over channels in turn."""

    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 32, 4, 4)
        self.over_tokens = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))
        self.over_channels = nn.Sequential(nn.LayerNorm(32), nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32))
        self.norm, self.head = nn.LayerNorm(32), nn.Linear(32, 16)

    def forward(self, image):
        x = self.patch(image).flatten(2).transpose(1, 2)
        x = x + self.over_tokens(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return self.head((x + self.over_channels(x)).mean(1))


class ConvNext(nn.Module):
    """Depthwise 7 × 7, norms over channels that come last, a learned scale for each."""

    def __init__(self, width=16, depth=2):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 4, 4)
        self.depthwise = nn.ModuleList(nn.Conv2d(width, width, 7, padding=3, groups=width) for _ in range(depth))
        self.norms = nn.ModuleList(nn.LayerNorm(width, eps=1e-6) for _ in range(depth))
        self.ups = nn.ModuleList(nn.Linear(width, 4 * width) for _ in range(depth))
        self.downs = nn.ModuleList(nn.Linear(4 * width, width) for _ in range(depth))
        self.scales = nn.ParameterList(nn.Parameter(torch.rand(width)) for _ in range(depth))
        self.head = nn.Linear(width, 16)

    def forward(self, image):
        x = self.stem(image)
        for depthwise, norm, up, down, scale in zip(self.depthwise, self.norms, self.ups, self.downs, self.scales):
            y = norm(depthwise(x).permute(0, 2, 3, 1))
            x = x + (scale * down(F.gelu(up(y)))).permute(0, 3, 1, 2)
        return self.head(x.mean([-2, -1]))


class Windows(nn.Module):
    """Attention in shifted windows with a learned bias for each distance."""

    def __init__(self):
        super().__init__()
        self.qkv, self.proj, self.norm = nn.Linear(16, 48), nn.Linear(16, 16), nn.LayerNorm(16)
        self.table = nn.Parameter(torch.randn(49, 2))
        place = torch.stack(torch.meshgrid(torch.arange(4), torch.arange(4), indexing="ij")).flatten(1)
        distance = (place[:, :, None] - place[:, None, :] + 3).permute(1, 2, 0)
        self.register_buffer("index", distance[..., 0] * 7 + distance[..., 1])

    def forward(self, x):
        batch, side, _, width = x.shape
        y = torch.roll(self.norm(x), (-2, -2), (1, 2))
        y = y.view(batch, side // 4, 4, side // 4, 4, width).permute(0, 1, 3, 2, 4, 5).reshape(-1, 16, width)
        q, k, v = self.qkv(y).reshape(-1, 16, 3, 2, width // 2).permute(2, 0, 3, 1, 4).unbind(0)
        bias = self.table[self.index.view(-1)].view(16, 16, 2).permute(2, 0, 1)
        y = torch.softmax(q @ k.transpose(-2, -1) * 0.35 + bias.unsqueeze(0), -1) @ v
        y = self.proj(y.transpose(1, 2).reshape(-1, 16, width))
        y = y.view(batch, side // 4, side // 4, 4, 4, width).permute(0, 1, 3, 2, 4, 5).reshape(batch, side, side, width)
        return x + torch.roll(y, (2, 2), (1, 2))


class Causal1d(nn.Module):
    """Dilated convolutions that see the past alone, and gates."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(4, 16, 1)
        self.dilated = nn.ModuleList(nn.Conv1d(16, 32, 2, dilation=2 ** i) for i in range(3))
        self.out = nn.Conv1d(16, 8, 1)

    def forward(self, signal):
        x = self.first(signal)
        for i, layer in enumerate(self.dilated):
            filtered, gate = layer(F.pad(x, (2 ** i, 0))).chunk(2, 1)
            x = x + torch.tanh(filtered) * torch.sigmoid(gate)
        return self.out(F.elu(x))


class Vae(nn.Module):
    """Strided down, transposed up; moments and the image they make."""

    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.SiLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.SiLU())
        self.moments = nn.Conv2d(16, 8, 1)
        self.up = nn.Sequential(nn.ConvTranspose2d(4, 16, 4, 2, 1), nn.SiLU(), nn.ConvTranspose2d(16, 3, 4, 2, 1))

    def forward(self, image):
        mean, spread = self.moments(self.down(image)).chunk(2, 1)
        spread = torch.exp(0.5 * torch.clamp(spread, -30.0, 20.0))
        return torch.sigmoid(self.up(mean + 0.1 * spread)), mean, spread


class Einsum(nn.Module):
    """Products by their indices, and a bilinear form."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Parameter(torch.randn(4, 8, 8) * 0.3)
        self.fc = nn.Linear(32, 16)

    def forward(self, x):
        y = torch.einsum("btd,hde->bhte", x, self.mix)
        y = torch.einsum("bhte,bhse->bhts", y, y).softmax(-1) @ y
        return self.fc(y.permute(0, 2, 1, 3).flatten(2))


class Latents(nn.Module):
    """Learned queries attend to whatever comes in."""

    def __init__(self):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(5, 16))
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
        self.mlp = nn.Sequential(nn.LayerNorm(16), nn.Linear(16, 32), nn.ReLU6(), nn.Linear(32, 16))

    def forward(self, x):
        q = self.latents.unsqueeze(0).expand(x.shape[0], -1, -1)
        y, _ = self.attention(q, x, x, need_weights=False)
        return q + y + self.mlp(y)


class GraphConvolution(nn.Module):
    """A batch of graphs by their matrices, normalised by degree."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 16), nn.Linear(16, 16)

    def forward(self, nodes, edges):
        edges = edges + torch.eye(edges.shape[-1], device=edges.device)
        degree = edges.sum(-1).clamp(min=1.0).pow(-0.5)
        edges = degree.unsqueeze(-1) * edges * degree.unsqueeze(-2)
        x = F.relu(torch.bmm(edges, self.first(nodes)))
        return F.log_softmax(torch.bmm(edges, self.second(x)).amax(1), dim=-1)


class Fourier(nn.Module):
    """Sines of positions that are computed in float64, as some models insist."""

    def __init__(self):
        super().__init__()
        self.fc, self.out = nn.Linear(16, 32), nn.Linear(32, 16)

    def forward(self, x):
        place = torch.arange(x.shape[1], dtype=torch.float64, device=x.device)
        angle = torch.outer(place, 1.0 / 100 ** (torch.arange(8, dtype=torch.float64, device=x.device) / 8))
        x = x + torch.cat([angle.sin(), angle.cos()], -1).to(x.dtype)
        return self.out(torch.sin(self.fc(x)))


class SuperResolution(nn.Module):
    """Shuffled pixels on a bicubic enlargement."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Conv2d(3, 16, 3, padding=1), nn.Conv2d(16, 12, 3, padding=1)
        self.slope = nn.PReLU(16)

    def forward(self, image):
        large = F.interpolate(image, scale_factor=2.0, mode="bilinear", align_corners=False)
        return large + F.pixel_shuffle(self.last(self.slope(self.first(image))), 2)


class Autocast(nn.Module):
    """A region in bfloat16, and one that must not leave float32."""

    def __init__(self):
        super().__init__()
        self.fc, self.out = nn.Linear(16, 32), nn.Linear(32, 16)

    def forward(self, x):
        with torch.autocast("cpu", torch.bfloat16):
            y = torch.relu(self.fc(x)) + 1
        with torch.autocast("cpu", enabled=False):
            z = y.float()
            z = z * torch.rsqrt(z.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.out(z.to(x.dtype))


class Steps(nn.Module):
    """A counter and a running mean that it writes, and what it reads of them afterwards."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 16)
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
        self.register_buffer("running", torch.ones(16))

    def forward(self, x):
        self.steps += 1
        y = self.fc(x)
        self.running.mul_(0.9).add_(y.mean(0), alpha=0.1)
        return y - self.running + self.steps.to(y.dtype)


def several(*inputs):
    return lambda batch, size: tuple(each(batch, size)[0] for each in inputs)


LENGTH = Dim("length", min=2, max=60)
ARCHITECTURES = {
    "encoder_decoder": (EncoderDecoder, several(tokens(50), tokens(50)), 7,
                        ({0: BATCH, 1: LENGTH}, {0: BATCH, 1: LENGTH}), "tokens", [7, 5]),
    "bert": (Bert, several(tokens(60), lambda batch, size: (torch.ones(batch, size, dtype=torch.int64),)), 9,
             ({0: BATCH, 1: LENGTH}, {0: BATCH, 1: LENGTH}), "tokens", [9, 4]),
    "mixer": (Mixer, pixels(3), 16, ({0: BATCH},), None, [16, 16]),
    "convnext": (ConvNext, pixels(3), 32, ({0: BATCH},), None, [32, 32]),
    "windows": (Windows, lambda batch, size: (torch.randn(batch, size, size, 16),), 8, ({0: BATCH},), None, [8, 8]),
    "causal_1d": (Causal1d, lambda batch, size: (torch.randn(batch, 4, size),), 12, ({0: BATCH},), None, [12, 12]),
    "vae": (Vae, pixels(3), 16, ({0: BATCH},), None, [16, 16]),
    "einsum": (Einsum, lambda batch, size: (torch.randn(batch, size, 8),), 6, ({0: BATCH},), None, [6, 6]),
    "latents": (Latents, lambda batch, size: (torch.randn(batch, size, 16),), 9, ({0: BATCH},), None, [9, 9]),
    "graph_convolution": (GraphConvolution,
                          several(lambda batch, size: (torch.randn(batch, size, 8),),
                                  lambda batch, size: (torch.rand(batch, size, size).round(),)), 6,
                          ({0: BATCH}, {0: BATCH}), None, [6, 6]),
    "fourier": (Fourier, lambda batch, size: (torch.randn(batch, size, 16),), 6, ({0: BATCH},), None, [6, 6]),
    "super_resolution": (SuperResolution, pixels(3), 8, ({0: BATCH},), None, [8, 8]),
    "autocast": (Autocast, lambda batch, size: (torch.randn(batch, 16),), 1, ({0: BATCH},), None, [1, 1]),
    "steps": (Steps, lambda batch, size: (torch.randn(batch, 8),), 1, ({0: BATCH},), None, [1, 1]),
}
