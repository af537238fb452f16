"""Procedural training pictures for the demo model, made in batches on any device; no photograph is involved.

Every function returns float pictures [n,3,S,S], nominally in [0,1], and draws from torch's global generator. Loops
run over scales, parts or neighbours, never over pictures. What the families imitate is named at each of them; what
they share with photographs matters most: 1/f spectra, occlusion at all sizes, colours along few directions, soft
light, some blur and some noise.
"""
import math

import torch
import torch.nn.functional as F

# Directions of chroma that photographs vary along: warm to cool, then green to magenta.
WARM = (0.62, 0.05, -0.75)
GREEN = (-0.35, 0.45, -0.35)


def uniform(low, high, *shape, device):
    return low + (high - low) * torch.rand(*shape, device=device)


def log_uniform(low, high, *shape, device):
    return uniform(math.log(low), math.log(high), *shape, device=device).exp()


def chance(probability, *shape, device):
    return (torch.rand(*shape, device=device) < probability).float()


def grid(size, device):
    """y [S,1] and x [1,S] in pixels."""
    line = torch.arange(size, dtype=torch.float32, device=device)
    return line[:, None], line[None, :]


def rotated(angle, size, device):
    """Coordinates [n,1,S,S] in units of the side, centred, turned by angle [n,1,1,1]."""
    y, x = (axis / size - 0.5 for axis in grid(size, device))
    return x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin()


# --- colour and noise ----------------------------------------------------------------------------------------

def chroma_basis(device):
    return torch.tensor([WARM, GREEN], device=device)


def colours(n, count, device):
    """Colours [n,count,3] that belong together: one cast and one colourfulness per picture."""
    strength = log_uniform(0.02, 0.32, n, 1, 1, device=device)
    cast = torch.randn(n, 1, 2, device=device) * 0.6
    chroma = (torch.randn(n, count, 2, device=device) + cast) * strength
    chroma = chroma * torch.tensor([1.0, 0.6], device=device)
    luma = uniform(0.02, 0.98, n, count, 1, device=device)
    vivid = chance(0.06, n, count, 1, device=device)
    return ((luma + chroma @ chroma_basis(device)) * (1 - vivid)
            + torch.rand(n, count, 3, device=device) * vivid).clamp(0, 1)


def spectral_noise(n, channels, size, slope, stretch, device):
    """Gaussian fields [n,channels,S,S] of mean 0, deviation 1 with amplitude 1 / f^slope, slope [n,1,1,1].

    `stretch` [n,1,1,1] >= 1 lengthens the structure along a random direction (grass, fur, wood, brushed metal).
    """
    fy = torch.fft.fftfreq(size, device=device)[:, None] * size
    fx = torch.fft.rfftfreq(size, device=device)[None, :] * size
    angle = uniform(0, math.pi, n, 1, 1, 1, device=device)
    along, across = fx * angle.cos() + fy * angle.sin(), fy * angle.cos() - fx * angle.sin()
    squared = (along * stretch).square() + (across / stretch).square()
    amplitude = (squared + 0.5) ** (-slope / 2)
    amplitude[..., 0, 0] = 0
    white = torch.fft.rfft2(torch.randn(n, channels, size, size, device=device))
    field = torch.fft.irfft2(white * amplitude, s=(size, size))
    return field / field.std(dim=(2, 3), keepdim=True).clamp_min(1e-6)


def blur(pictures, sigma):
    """Gaussian blur by sigma pixels, [n,1,1,1] per picture; periodic at the border."""
    size = pictures.shape[-1]
    fy = torch.fft.fftfreq(size, device=pictures.device)[:, None]
    fx = torch.fft.rfftfreq(size, device=pictures.device)[None, :]
    transfer = torch.exp(-2 * (math.pi * sigma).square() * (fx.square() + fy.square()))
    return torch.fft.irfft2(torch.fft.rfft2(pictures) * transfer, s=(size, size))


def warp(pictures, zoom, angle):
    """Magnifies by zoom [n] and turns by angle [n]; mirrored beyond the border."""
    zeros = torch.zeros_like(zoom)
    cos, sin = angle.cos() / zoom, angle.sin() / zoom
    matrix = torch.stack([torch.stack([cos, -sin, zeros], 1), torch.stack([sin, cos, zeros], 1)], 1)
    where = F.affine_grid(matrix, list(pictures.shape), align_corners=False)
    return F.grid_sample(pictures, where, padding_mode="reflection", align_corners=False)


# --- families ------------------------------------------------------------------------------------------------

def fractal(n, size, device):
    """Clouds, foliage, stone, water, skin: 1/f fields, some bent into ridges or hard-edged patches."""
    slope = uniform(0.6, 1.9, n, 1, 1, 1, device=device)
    stretch = 1 + chance(0.5, n, 1, 1, 1, device=device) * torch.rand(n, 1, 1, 1, device=device) * 2.5
    field = spectral_noise(n, 3, size, slope, stretch, device)
    luma, chroma = field[:, :1], field[:, 1:]
    bent = torch.stack([luma, 2 * luma.abs() - 1.6, torch.tanh(4 * luma), 0.7 * luma.square() - 0.7,
                        luma + 0.5 * torch.tanh(6 * (luma - 0.5))])
    choice = F.one_hot(torch.randint(5, (n,), device=device), 5).T.float()[..., None, None, None]
    luma = (bent * choice).sum(0)
    contrast = uniform(0.05, 0.3, n, 1, 1, 1, device=device)
    chroma = chroma * log_uniform(0.01, 0.12, n, 1, 1, 1, device=device)
    base = colours(n, 1, device)[:, 0, :, None, None]
    return base + contrast * luma + torch.einsum("nkhw,kc->nchw", chroma, chroma_basis(device))


def _leaf_attributes(n, cells, cell, presence, roundness, device):
    """[n,8,G,G] for a jittered grid of leaves: two affine rows (u, v), box flag, priority (-1 = absent)."""
    shape = (n, cells, cells)
    start = torch.arange(cells, device=device, dtype=torch.float32) - 1  # one ring beyond the picture
    centre_y = (start[:, None] + torch.rand(*shape, device=device)) * cell
    centre_x = (start[None, :] + torch.rand(*shape, device=device)) * cell
    radius = cell * log_uniform(0.45, 1.0, *shape, device=device)
    aspect = log_uniform(0.2, 1.0, *shape, device=device)
    box = (torch.rand(*shape, device=device) > roundness).float()
    upright = chance(0.5, n, 1, 1, device=device)  # man-made scenes keep to the axes
    angle = uniform(0, 2 * math.pi, *shape, device=device) * (1 - upright * chance(0.8, *shape, device=device))
    radius = radius * (1 - 0.29 * box)  # a box reaches farther than its half side
    ux, uy = angle.cos() / radius, angle.sin() / radius
    vx, vy = -angle.sin() / (radius * aspect), angle.cos() / (radius * aspect)
    priority = torch.where(torch.rand(*shape, device=device) < presence, torch.rand(*shape, device=device), -1.0)
    return torch.stack([ux, uy, -ux * centre_x - uy * centre_y, vx, vy, -vx * centre_x - vy * centre_y,
                        box, priority], 1)


def _cover(state, attributes, cell, first, size, device):
    """Lets the leaves of one scale compete for each pixel; each reaches its own and the eight cells around it."""
    y, x = grid(size, device)
    cells = attributes.shape[-1]
    line = torch.arange(size, device=device) // cell
    for dy in range(3):
        for dx in range(3):
            row, column = line + dy, line + dx
            ux, uy, u0, vx, vy, v0, box, priority = attributes[:, :, row][:, :, :, column].unbind(1)
            u, v = ux * x + uy * y + u0, vx * x + vy * y + v0
            reach = torch.where(box > 0.5, torch.maximum(u.abs(), v.abs()), (u * u + v * v).sqrt())
            win = (reach < 1) & (priority > state["priority"])
            state["priority"] = torch.where(win, priority, state["priority"])
            state["leaf"] = torch.where(win, first + row[:, None] * cells + column, state["leaf"])
            state["u"], state["v"] = torch.where(win, u, state["u"]), torch.where(win, v, state["v"])


def dead_leaves(n, size, device):
    """Objects that hide each other, at sizes over five octaves, each with its colour, shading and texture."""
    state = {key: torch.zeros(n, size, size, device=device) for key in ("priority", "u", "v")}
    state["leaf"] = torch.zeros(n, size, size, dtype=torch.long, device=device)
    roundness = torch.rand(n, 1, 1, device=device)
    density, falling = torch.rand(n, 1, 1, device=device), uniform(0.35, 1.1, n, 1, 1, device=device)
    leaves = 1  # number 0 is the background
    for octave, cell in enumerate((256, 128, 64, 32, 16, 8)):
        cells = -(-size // cell) + 2
        presence = (0.25 + 0.75 * density) * falling**octave * (0.6 if octave < 2 else 1.0)
        attributes = _leaf_attributes(n, cells, cell, presence, roundness, device)
        _cover(state, attributes, cell, leaves, size, device)
        leaves += cells * cells
    # Leaf table: colour 3, shading along u, v and towards the rim 3, strength of each texture 3.
    palette = colours(n, 6, device)
    pick = torch.randint(6, (n, leaves, 1), device=device).expand(-1, -1, 3)
    colour = palette.gather(1, pick) + 0.07 * torch.randn(n, leaves, 1, device=device) \
        + 0.03 * torch.randn(n, leaves, 3, device=device)
    shading = torch.randn(n, leaves, 3, device=device) * log_uniform(0.01, 0.14, n, 1, 1, device=device)
    texture = torch.randn(n, leaves, 3, device=device) * log_uniform(0.01, 0.12, n, 1, 1, device=device)
    table = torch.cat([colour, shading, texture], 2)
    index = state["leaf"].view(n, -1, 1).expand(-1, -1, 9)
    pixels = table.gather(1, index).view(n, size, size, 9).permute(0, 3, 1, 2)
    u, v = state["u"][:, None], state["v"][:, None]
    slope = torch.cat([uniform(*limits, n, 1, 1, 1, device=device) for limits in ((0.1, 0.6), (0.6, 1.3), (0.4, 1.0))], 1)
    stretch = torch.cat([torch.ones(n, 2, 1, 1, device=device), uniform(2, 6, n, 1, 1, 1, device=device)], 1)
    fields = spectral_noise(n * 3, 1, size, slope.view(-1, 1, 1, 1), stretch.view(-1, 1, 1, 1), device)
    light = pixels[:, 3:4] * u + pixels[:, 4:5] * v + pixels[:, 5:6] * (1 - u * u - v * v)
    return pixels[:, :3] + light + (pixels[:, 6:] * fields.view(n, 3, size, size)).sum(1, keepdim=True)


def gratings(n, size, device):
    """Stripes, cloth, bricks, blinds, zone plates: up to three waves, some square, some bent."""
    total = torch.zeros(n, 1, size, size, device=device)
    bend = spectral_noise(n, 1, size, torch.full((n, 1, 1, 1), 2.2, device=device),
                          torch.ones(n, 1, 1, 1, device=device), device)
    for order in range(3):
        x, y = rotated(uniform(0, math.pi, n, 1, 1, 1, device=device), size, device)
        frequency = log_uniform(2, 110, n, 1, 1, 1, device=device)
        chirp = chance(0.25, n, 1, 1, 1, device=device) * uniform(0, 90, n, 1, 1, 1, device=device)
        bending = chance(0.5, n, 1, 1, 1, device=device) * uniform(0, 3, n, 1, 1, 1, device=device)
        phase = uniform(0, 2 * math.pi, n, 1, 1, 1, device=device) + bending * bend
        wave = torch.sin(2 * math.pi * (frequency * x + chirp * (x * x + y * y)) + phase)
        hardness = log_uniform(0.5, 12, n, 1, 1, 1, device=device)
        total = total + torch.tanh(hardness * wave) / torch.tanh(hardness) * chance(1 if order == 0 else 0.4,
                                                                                  n, 1, 1, 1, device=device)
    ends = colours(n, 2, device)[..., None, None]
    share = (0.5 + 0.4 * total).clamp(0, 1)
    return ends[:, 0] * share + ends[:, 1] * (1 - share)


def smooth(n, size, device):
    """Sky, walls, bokeh: slow changes of light and colour, linear and round."""
    ends = colours(n, 3, device)[..., None, None]
    x, y = rotated(uniform(0, 2 * math.pi, n, 1, 1, 1, device=device), size, device)
    slow = spectral_noise(n, 1, size, uniform(2, 3, n, 1, 1, 1, device=device),
                          torch.ones(n, 1, 1, 1, device=device), device)
    ramp = (0.5 + x + 0.25 * slow).clamp(0, 1)
    centre = torch.rand(n, 2, 1, 1, device=device) - 0.5
    distance = ((x - centre[:, :1]).square() + (y - centre[:, 1:]).square()).sqrt()
    lobe = torch.exp(-(distance / uniform(0.08, 0.6, n, 1, 1, 1, device=device)).square())
    return ends[:, 0] * ramp + ends[:, 1] * (1 - ramp) + (ends[:, 2] - 0.5) * lobe


def glyphs(count, height, width, device):
    """Ink masks [count,height,width] of random letters: three or four strokes between nodes of a 3 x 4 net."""
    nodes = torch.stack(torch.meshgrid(torch.linspace(0.12, 0.82, 4, device=device),
                                       torch.linspace(0.15, 0.75, 3, device=device), indexing="ij"), -1).view(-1, 2)
    ends = nodes[torch.randint(12, (count, 4, 2), device=device)]  # [count,stroke,end,yx]
    y = (torch.arange(height, device=device) + 0.5)[:, None].expand(height, width) / height
    x = (torch.arange(width, device=device) + 0.5)[None, :].expand(height, width) / height * (height / width)
    point = torch.stack([y, x], -1)[None, None]
    start, along = ends[:, :, 0, None, None], (ends[:, :, 1] - ends[:, :, 0])[:, :, None, None]
    t = ((point - start) * along).sum(-1, keepdim=True) / along.square().sum(-1, keepdim=True).clamp_min(1e-6)
    metric = torch.tensor([height, width], device=device, dtype=torch.float32)
    distance = ((point - start - t.clamp(0, 1) * along) * metric).norm(dim=-1).amin(1)
    thick = uniform(0.6, 1.5, count, 1, 1, device=device)
    return (thick - distance + 0.5).clamp(0, 1)


def text(n, size, device):
    """Pages, signs and screens: lines of random letters with spaces, at several magnifications."""
    height, width, kinds = 20, 12, 192
    letters = torch.cat([glyphs(kinds, height, width, device), torch.zeros(1, height, width, device=device)])
    rows, columns = -(-size // height), -(-size // width)
    which = torch.randint(kinds, (n, rows, columns), device=device)
    blank = (torch.rand(n, rows, columns, device=device) < 0.17) | (torch.rand(n, rows, 1, device=device) < 0.2) \
        | (torch.rand(n, 1, columns, device=device) < 0.03)
    ink = letters[torch.where(blank, kinds, which)]  # [n,rows,columns,height,width]
    ink = ink.permute(0, 1, 3, 2, 4).reshape(n, 1, rows * height, columns * width)[..., :size, :size]
    turned = chance(0.4, n, device=device) * torch.randn(n, device=device) * 0.15
    ink = warp(ink, log_uniform(0.8, 5, n, device=device), turned)
    paper = smooth(n, size, device) * 0.3 + 0.7 * colours(n, 1, device)[:, 0, :, None, None]
    return paper + (colours(n, 1, device)[:, 0, :, None, None] - paper) * ink


def _paint(canvas, colour, x, y, centre, radii, softness):
    """Lays a shaded soft ellipse over the canvas; centre and radii [n,2,1,1] in units of the side."""
    u, v = (x - centre[:, :1]) / radii[:, :1], (y - centre[:, 1:]) / radii[:, 1:]
    reach = (u * u + v * v).sqrt()
    opacity = ((1 - reach) / softness).clamp(0, 1)
    shaded = colour + 0.12 * (0.6 - reach * reach) - 0.06 * (u + v)
    return canvas + (shaded - canvas) * opacity


def faces(n, size, device):
    """Portrait-like blobs: head, hair, eyes, brows, nose, mouth and shoulders; loosely placed."""
    canvas = smooth(n, size, device)
    x, y = rotated(torch.randn(n, 1, 1, 1, device=device) * 0.25, size, device)
    scale = log_uniform(0.35, 1.6, n, 1, 1, 1, device=device)
    shift = torch.randn(n, 2, 1, 1, device=device) * 0.12
    skin = torch.tensor([0.72, 0.52, 0.42], device=device).view(1, 3, 1, 1) \
        * log_uniform(0.35, 1.35, n, 1, 1, 1, device=device) + 0.03 * torch.randn(n, 3, 1, 1, device=device)
    hair = colours(n, 1, device)[:, 0, :, None, None] * 0.6
    cloth, dark, lips = colours(n, 1, device)[:, 0, :, None, None], skin * 0.25, skin * 0.75
    lips = lips + torch.tensor([0.1, -0.06, -0.04], device=device).view(1, 3, 1, 1)
    parts = [(cloth, (0, 0.55), (0.42, 0.3), 0.1), (hair, (0, -0.05), (0.27, 0.33), 0.3), (skin, (0, 0.2), (0.1, 0.2), 0.2),
             (skin, (0, 0), (0.21, 0.28), 0.08)]
    for side in (-1, 1):
        parts += [(hair, (side * 0.085, -0.09), (0.06, 0.012), 0.6), (skin * 0 + 0.85, (side * 0.085, -0.04), (0.042, 0.02), 0.3),
                  (dark, (side * 0.085, -0.04), (0.019, 0.02), 0.2), (skin * 0 + 1, (side * 0.085 + 0.006, -0.046), (0.005, 0.005), 0.5)]
    parts += [(skin * 1.08, (0, 0.05), (0.03, 0.06), 0.7), (lips, (0, 0.15), (0.075, 0.024), 0.3)]
    for colour, place, radii, softness in parts:
        centre = torch.tensor(place, device=device).view(1, 2, 1, 1) + 0.008 * torch.randn(n, 2, 1, 1, device=device)
        radius = torch.tensor(radii, device=device).view(1, 2, 1, 1) * log_uniform(0.8, 1.25, n, 2, 1, 1, device=device)
        canvas = _paint(canvas, colour, x, y, centre * scale + shift, radius * scale, softness)
    strands = spectral_noise(n, 1, size, uniform(0.3, 1.0, n, 1, 1, 1, device=device),
                             uniform(1, 5, n, 1, 1, 1, device=device), device)
    return canvas * (1 + strands * log_uniform(0.01, 0.12, n, 1, 1, 1, device=device))


# --- scenes --------------------------------------------------------------------------------------------------

# Share of each family in a batch.
FAMILIES = ((dead_leaves, 0.42), (fractal, 0.24), (smooth, 0.08), (gratings, 0.08), (text, 0.08), (faces, 0.10))


def composed(pictures):
    """Half of the pictures become scenes: one picture behind the ragged silhouette of another, often out of focus."""
    n, _, size, _ = pictures.shape
    device = pictures.device
    behind = blur(pictures.roll(1, 0), chance(0.6, n, 1, 1, 1, device=device) * log_uniform(1, 9, n, 1, 1, 1, device=device))
    field = spectral_noise(n, 1, size, uniform(1.2, 2.2, n, 1, 1, 1, device=device),
                           uniform(1, 1.8, n, 1, 1, 1, device=device), device)
    edge = log_uniform(0.01, 1.0, n, 1, 1, 1, device=device)
    mask = torch.sigmoid((field - uniform(-0.8, 0.8, n, 1, 1, 1, device=device)) / edge * 2)
    mask = torch.where(torch.rand(n, 1, 1, 1, device=device) < 0.5, mask, torch.ones_like(mask))
    return behind + (pictures - behind) * mask


def lit(pictures):
    """Uneven light with soft and hard shadows."""
    n, _, size, _ = pictures.shape
    device = pictures.device
    field = spectral_noise(n, 2, size, uniform(1.8, 2.8, n, 1, 1, 1, device=device),
                           torch.ones(n, 1, 1, 1, device=device), device)
    light = torch.exp(field[:, :1] * uniform(0, 0.35, n, 1, 1, 1, device=device))
    hardness = log_uniform(1, 40, n, 1, 1, 1, device=device)
    shadow = torch.sigmoid(field[:, 1:] * hardness) * chance(0.4, n, 1, 1, 1, device=device)
    return pictures * light * (1 - shadow * uniform(0.1, 0.7, n, 1, 1, 1, device=device))


def photographed(pictures):
    """Lens, exposure and sensor: blur, sharpening, tone curve, colour cast, noise."""
    n, _, size, _ = pictures.shape
    device = pictures.device
    wide = chance(0.25, n, 1, 1, 1, device=device)
    sigma = uniform(0.3, 0.9, n, 1, 1, 1, device=device) * (1 - wide) + log_uniform(0.9, 4, n, 1, 1, 1, device=device) * wide
    soft = blur(pictures, sigma * chance(0.85, n, 1, 1, 1, device=device))
    halo = soft - blur(soft, torch.full((n, 1, 1, 1), 1.2, device=device))
    pictures = soft + halo * chance(0.35, n, 1, 1, 1, device=device) * uniform(0, 0.9, n, 1, 1, 1, device=device)
    middle = pictures.mean(dim=(1, 2, 3), keepdim=True)
    pictures = (pictures - middle) * log_uniform(0.6, 1.7, n, 1, 1, 1, device=device) + middle
    pictures = pictures * (1 + 0.06 * torch.randn(n, 3, 1, 1, device=device))
    pictures = pictures.clamp(0, 1) ** log_uniform(0.6, 1.8, n, 1, 1, 1, device=device)
    level = chance(0.5, n, 1, 1, 1, device=device) * log_uniform(0.003, 0.03, n, 1, 1, 1, device=device)
    coarse = spectral_noise(n, 3, size, torch.full((n, 1, 1, 1), 0.3, device=device),
                            torch.ones(n, 1, 1, 1, device=device), device)
    return (pictures + level * coarse).clamp(0, 1)


@torch.no_grad()
def batch(n, size, device):
    """n finished pictures as uint8 [n,S,S,3]; n is at least 16, so that each family appears."""
    counts = [max(1, round(n * share)) for _, share in FAMILIES]
    counts[0] += n - sum(counts)
    parts = [family(count, size, device) for (family, _), count in zip(FAMILIES, counts)]
    pictures = torch.cat(parts)[torch.randperm(n, device=device)]
    pictures = photographed(lit(composed(pictures)))
    return (pictures * 255).round().to(torch.uint8).permute(0, 2, 3, 1).contiguous()


def held_out(count=64, size=256, seed=20_000_003):
    """Pictures never trained on, uint8 [count,S,S,3]; made on the CPU, so that every machine judges the same ones."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return torch.cat([batch(16, 2 * size, "cpu")[:, size // 2:size // 2 + size, size // 2:size // 2 + size]
                          for _ in range(-(-count // 16))])[:count].contiguous()
