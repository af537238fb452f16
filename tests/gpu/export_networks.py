"""Networks of ordinary PyTorch code in the sizes that a GPU is used for, as .pt2 files, and a preset for each: how fast
any graph is in compile mode fused. Usage: export_networks.py FOLDER [NAME ...]; needs torch alone.

Weights are generated: such runs tell times, and how far modes are from each other, not quality."""
import json
import pathlib
import sys

import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        y = x.float()
        return self.weight * (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


class LlamaBlock(nn.Module):
    """Fused query, key and value; pairs of neighbours are turned; the gate stands first."""

    def __init__(self, width, heads, hidden):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = RmsNorm(width), RmsNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, False), nn.Linear(width, width, False)
        self.gate_up, self.down = nn.Linear(width, 2 * hidden, False), nn.Linear(hidden, width, False)

    def turned(self, x, cosine, sine):
        even, odd = x.float().reshape(*x.shape[:-1], -1, 2).unbind(-1)
        turned = torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), -1)
        return turned.flatten(-2).to(x.dtype)

    def forward(self, x, cosine, sine):
        batch, tokens, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).reshape(batch, tokens, 3, self.heads, -1).unbind(2)
        q, k = self.turned(q, cosine, sine), self.turned(k, cosine, sine)
        y = F.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, tokens, width))
        gate, up = self.gate_up(self.norm2(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


class LlamaBlocks(nn.Module):
    """The blocks of the 1B model of "surgical compile" and no embedding: 16 of width 2,048 over 2,048 tokens."""

    def __init__(self, width=2048, heads=16, hidden=5504, depth=16, tokens=2048):
        super().__init__()
        self.blocks = nn.ModuleList(LlamaBlock(width, heads, hidden) for _ in range(depth))
        half = width // heads // 2
        angles = torch.arange(tokens)[:, None] * 10000.0 ** (-torch.arange(half) / half)
        self.register_buffer("cosine", angles.cos()[:, None, :])
        self.register_buffer("sine", angles.sin()[:, None, :])

    def forward(self, x):
        for block in self.blocks:
            x = block(x, self.cosine, self.sine)
        return x


class VitBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.fc1, self.fc2 = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, tokens, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).reshape(batch, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, tokens, width)
        x = x + self.proj(y)
        return x + self.fc2(F.gelu(self.fc1(self.norm2(x))))


class Blocks(nn.Module):
    """Blocks of a vision transformer on tokens; those of OlmoEarth base are such."""

    def __init__(self, width=768, heads=12, depth=12):
        super().__init__()
        self.blocks = nn.ModuleList(VitBlock(width, heads) for _ in range(depth))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Transformer(nn.Module):
    """ViT-B/16 at 224 pixels: 197 tokens."""

    def __init__(self, width=768):
        super().__init__()
        self.patch = nn.Conv2d(3, width, 16, 16)
        self.first = nn.Parameter(torch.randn(1, 1, width) * 0.02)
        self.place = nn.Parameter(torch.randn(1, 197, width) * 0.02)
        self.blocks = Blocks(width)
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 1000)

    def forward(self, image):
        x = self.patch(image).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(x.shape[0], -1, -1), x], 1) + self.place
        return self.head(self.norm(self.blocks(x))[:, 0])


class Cnn(nn.Module):
    """Blocks of ConvNeXt: depthwise 7 x 7, then two linear layers on channels."""

    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.spatial = nn.Conv2d(width, width, 7, padding=3, groups=width)
            self.norm = nn.LayerNorm(width)
            self.fc1, self.fc2 = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x):
            y = self.norm(self.spatial(x).permute(0, 2, 3, 1))
            return x + self.fc2(F.gelu(self.fc1(y))).permute(0, 3, 1, 2)

    def __init__(self, widths=(96, 192, 384, 768), depths=(3, 3, 9, 3)):
        super().__init__()
        layers = [nn.Conv2d(3, widths[0], 4, 4)]
        for i, (width, depth) in enumerate(zip(widths, depths)):
            layers += [Cnn.Block(width) for _ in range(depth)]
            if i + 1 < len(widths):
                layers.append(nn.Conv2d(width, widths[i + 1], 2, 2))
        self.layers, self.head = nn.Sequential(*layers), nn.Linear(widths[-1], 1000)

    def forward(self, image):
        return self.head(self.layers(image).mean((2, 3)))


class UNet(nn.Module):
    """Three scales with group norms, skipped connections and attention at the smallest."""

    class Block(nn.Module):
        def __init__(self, before, width):
            super().__init__()
            self.norm1, self.conv1 = nn.GroupNorm(32, before), nn.Conv2d(before, width, 3, padding=1)
            self.norm2, self.conv2 = nn.GroupNorm(32, width), nn.Conv2d(width, width, 3, padding=1)
            self.skip = nn.Conv2d(before, width, 1) if before != width else nn.Identity()

        def forward(self, x):
            y = self.conv1(F.silu(self.norm1(x)))
            return self.skip(x) + self.conv2(F.silu(self.norm2(y)))

    def __init__(self, widths=(128, 256, 512)):
        super().__init__()
        a, b, c = widths
        self.first, self.last = nn.Conv2d(3, a, 3, padding=1), nn.Conv2d(a, 3, 3, padding=1)
        self.down = nn.ModuleList([UNet.Block(a, a), UNet.Block(a, b), UNet.Block(b, c)])
        self.middle = VitBlock(c, 8)
        self.up = nn.ModuleList([UNet.Block(c + b, b), UNet.Block(b + a, a)])

    def forward(self, image):
        x = self.down[0](self.first(image))
        y = self.down[1](F.avg_pool2d(x, 2))
        z = self.down[2](F.avg_pool2d(y, 2))
        batch, channels, rows, columns = z.shape
        z = self.middle(z.flatten(2).transpose(1, 2)).transpose(1, 2).reshape(batch, channels, rows, columns)
        y = self.up[0](torch.cat([F.interpolate(z, scale_factor=2.0), y], 1))
        x = self.up[1](torch.cat([F.interpolate(y, scale_factor=2.0), x], 1))
        return self.last(x)


# By name: the network, the shape of one example, the batch that is measured, the precisions.
NETWORKS = {
    "llama_1b": (LlamaBlocks, (2048, 2048), 4, ["bf16", "float8dq-row", "int8dq"]),
    "olmoearth_base": (Blocks, (9216, 768), 8, ["bf16", "int8dq"]),
    "transformer": (Transformer, (3, 224, 224), 32, ["bf16", "int8dq", "float8dq-row"]),
    "cnn": (Cnn, (3, 224, 224), 32, ["bf16", "int8dq", "float8dq-row"]),
    "unet": (UNet, (3, 64, 64), 8, ["bf16", "int8dq", "float8dq-row"]),
}


def write(folder, name):
    network, shape, batch, precisions = NETWORKS[name]
    torch.manual_seed(7)
    model = network().to(torch.bfloat16).eval()
    example = (torch.randn(3, *shape, dtype=torch.bfloat16),)
    program = torch.export.export(model, example, dynamic_shapes=({0: Dim("batch", min=1, max=64)},), strict=False)
    torch.export.save(program, folder / f"{name}.pt2")
    preset = {"schema_version": 1, "name": f"Exported: {name}", "rounds": 3, "noise_floor": False,
              "defaults": {"model": str(folder / f"{name}.pt2"), "device": "cuda:0", "precision": "bf16",
                           "compile": "none", "batch": batch},
              "axes": {"precision": precisions, "compile": ["none", "cuda-graph", "inductor-default", "fused"]},
              "measurement": {"minimum_warmup_seconds": 0.1, "maximum_warmup_seconds": 0.4,
                              "minimum_sample_seconds": 0.2, "maximum_sample_seconds": 0.5, "minimum_samples": 5,
                              "phase_limit_seconds": {"load": 300, "compile": 1800, "warmup": 60, "measure": 60}}}
    (folder / f"{name}.json").write_text(json.dumps(preset, indent=1))
    print(name, sum(each.numel() for each in model.parameters()), "parameters", flush=True)


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    for each in sys.argv[2:] or NETWORKS:
        write(target, each)
