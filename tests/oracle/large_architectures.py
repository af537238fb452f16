"""Ten whole architectures of 5 M parameters and more for torch.export; rows as in exported_networks.NETWORKS."""
import torch
from torch import nn
from torch.nn import functional as F

from exported_architectures import BATCH, LENGTH, Bert, ConvNext, EncoderDecoder, pixels, several, tokens
from exported_networks import Block, Grouped, RmsNorm


class Vit(nn.Module):
    """Patches, ten blocks, a mean and a head."""

    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 256, 8, 8)
        self.blocks = nn.ModuleList(Block(256, 8) for _ in range(10))
        self.head = nn.Linear(256, 16)

    def forward(self, image):
        x = self.patch(image).flatten(2).transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(1))


class LanguageModel(nn.Module):
    """Nine causal blocks between tied embeddings."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(2000, 256)
        self.blocks = nn.ModuleList(Block(256, 8, causal=True) for _ in range(9))
        self.norm = RmsNorm(256)

    def forward(self, tokens):
        x = self.words(tokens)
        for block in self.blocks:
            x = block(x)
        return F.linear(self.norm(x), self.words.weight)


class UNet(nn.Module):
    """Four stages down and up again, with norms of batches and of groups."""

    def __init__(self):
        super().__init__()
        widths = (32, 64, 128, 256)
        self.downs = nn.ModuleList(self.stage(a, b) for a, b in zip((3,) + widths, widths))
        self.middle = self.stage(256, 512)
        self.ups = nn.ModuleList(nn.ConvTranspose2d(2 * b, b, 2, 2) for b in reversed(widths))
        self.joins = nn.ModuleList(self.stage(2 * b, b) for b in reversed(widths))
        self.last = nn.Conv2d(32, 3, 1)

    @staticmethod
    def stage(inner, out):
        return nn.Sequential(nn.Conv2d(inner, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True),
                             nn.Conv2d(out, out, 3, padding=1), nn.GroupNorm(8, out), nn.SiLU())

    def forward(self, image):
        x, skips = image, []
        for down in self.downs:
            skips.append(down(x))
            x = F.max_pool2d(skips[-1], 2)
        x = self.middle(x)
        for up, join, skip in zip(self.ups, self.joins, reversed(skips)):
            x = join(torch.cat([skip, up(x)], 1))
        return self.last(x)


class TwoTowers(nn.Module):
    """An image and a text, one tower each, and how near they are: three inputs, four outputs."""

    def __init__(self, width=384):
        super().__init__()
        self.image = nn.Sequential(nn.Conv2d(3, width, 8, 8), nn.GELU(), nn.Conv2d(width, width, 1))
        self.words = nn.Embedding(500, width)
        self.blocks = nn.ModuleList(Block(width, 8) for _ in range(4))
        self.of_image, self.of_text = nn.Linear(width, 256, bias=False), nn.Linear(width, 256, bias=False)

    def forward(self, image, text, scale):
        x = self.image(image).flatten(2).transpose(1, 2)
        y = self.words(text)
        for near, far in zip(self.blocks[::2], self.blocks[1::2]):
            x, y = near(x), far(y)
        x, y = F.normalize(self.of_image(x.mean(1)), dim=-1), F.normalize(self.of_text(y.mean(1)), dim=-1)
        near = scale * x @ y.t()
        return {"near": near, "embeddings": (x, y), "best": near.max(dim=-1).values}


class Remembering(nn.Module):
    """Blocks that keep what they saw: a ring of rows and a count, written at each pass."""

    def __init__(self, width=512):
        super().__init__()
        self.first = nn.Linear(16, width)
        self.layers = nn.ModuleList(nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(),
                                                  nn.Linear(4 * width, width)) for _ in range(3))
        self.last = nn.Linear(width, 16)
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("ring", torch.randn(4, width))

    def forward(self, x):
        y = self.first(x)
        self.count.add_(1)
        for i, layer in enumerate(self.layers):
            y = y + layer(y)
            self.ring.index_copy_(0, torch.tensor([i]), y.mean(0, keepdim=True))
        return self.last(y + torch.softmax(y @ self.ring.t(), -1) @ self.ring), self.count * 2.0


class InPlaceMlp(nn.Module):
    """A deep MLP in the style of hand-tuned code: results are written into one buffer and into views of it."""

    def __init__(self, width=768):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(10))
        self.width = width
        self.requires_grad_(False)  # or torch refuses to export what is written in place

    def forward(self, x):
        both = torch.zeros(x.shape[0], 2 * self.width)
        left, right = both[:, :self.width], both[:, self.width:]
        left.copy_(x)
        for layer in self.layers:
            right.copy_(layer(left)).mul_(0.5)
            left.add_(torch.relu_(right))
        right[:, ::2].fill_(0.25)
        return both.div_(both.abs().amax(-1, keepdim=True).clamp_(min=1.0))


# Pictures are small: convolutions in bfloat16 are what takes longest.
LARGE = {
    "large_vit": (Vit, pixels(3), 32, ({0: BATCH},), None, [32, 32]),
    "large_language_model": (LanguageModel, tokens(2000), 8, ({0: BATCH, 1: LENGTH},), "tokens", [8, 13]),
    "large_unet": (UNet, pixels(3), 16, ({0: BATCH},), None, [16, 16]),
    "large_convnext": (lambda: ConvNext(384, 5), pixels(3), 16, ({0: BATCH},), None, [16, 16]),
    "large_encoder_decoder": (lambda: EncoderDecoder(256, 4, 1000), several(tokens(1000), tokens(1000)), 7,
                              ({0: BATCH, 1: LENGTH}, {0: BATCH, 1: LENGTH}), "tokens", [7, 5]),
    "large_embedding": (lambda: Bert(704, 8), several(tokens(60), lambda batch, size: (torch.ones(batch, size, dtype=torch.int64),)),
                        9, ({0: BATCH, 1: LENGTH}, {0: BATCH, 1: LENGTH}), "tokens", [9, 4]),
    "large_grouped": (lambda: Grouped(1536), pixels(4), 4, ({0: BATCH},), None, [4, 4]),
    "large_two_towers": (TwoTowers, lambda batch, size: (torch.randn(batch, 3, 32, 32), torch.randint(0, 500, (batch, size)),
                                                         torch.rand(1)), 6,
                         ({0: BATCH}, {0: BATCH, 1: LENGTH}, None), "tokens", [6, 9]),
    "large_remembering": (Remembering, lambda batch, size: (torch.randn(batch, 16),), 1, ({0: BATCH},), None, [1, 1]),
    "large_in_place": (InPlaceMlp, lambda batch, size: (torch.randn(batch, 768),), 1, ({0: BATCH},), None, [1, 1]),
}
