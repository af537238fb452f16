#!/usr/bin/env python3
"""Makes the goldens of worst tiles and region scores: scikit-image's SSIM map with Wang's settings, numpy for the rest.

Run from anywhere with numpy and scikit-image installed (made with numpy 2.4, scikit-image 0.26). The pictures are
computed from formulas that the test repeats: multiples of 1/256, exact in float32. Output: regions.json.
"""
import json
import pathlib

import numpy as np
from skimage.metrics import structural_similarity

HERE = pathlib.Path(__file__).resolve().parent
WIDTH, HEIGHT, SIDE, STRIDE, BORDER = 230, 150, 64, 32, 5
# x, y, width, height: inside, a pixel, at the edges (equal in the first), in the border alone, partly in it, everything.
REGIONS = [(40, 30, 64, 64), (100, 70, 1, 1), (0, 0, 9, 9), (220, 140, 10, 10), (60, 0, 9, 5), (17, 3, 120, 5),
           (0, 0, WIDTH, HEIGHT)]


def pictures():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    reference = np.stack([(x * 37 + y * 11) % 257, (x * 5 + y * y) % 241, (x * y) % 251], axis=-1)
    noise = np.stack([(x * 193 + y * 71 + c * 57) * (x + 3 * y + c) % 31 - 15 for c in range(3)], axis=-1)
    strong = (x // 50 + y // 40) % 5
    return (reference + noise * strong[..., None]) / 256, reference / 256


def worst_tiles(score_map, count):
    height, width = score_map.shape

    def starts(side):
        return [*range(0, side - SIDE, STRIDE), side - SIDE]

    tiles = [(score_map[top:top + SIDE, left:left + SIDE].mean(), top, left)
             for top in starts(height) for left in starts(width)]
    chosen = []
    for mean, top, left in sorted(tiles):
        if all(abs(top - other[2]) >= SIDE or abs(left - other[1]) >= SIDE for other in chosen):
            chosen.append((mean, left, top))
    return [{"x": left + BORDER, "y": top + BORDER, "mean": mean} for mean, left, top in chosen[:count]]


def score(region, picture, reference, score_map):
    x, y, width, height = region
    part = slice(y, y + height), slice(x, x + width)
    seen = np.clip(picture[part], 0, 1) - np.clip(reference[part], 0, 1)
    inside = np.full(picture.shape[:2], np.nan)
    inside[BORDER:-BORDER, BORDER:-BORDER] = score_map
    values = inside[part][~np.isnan(inside[part])]
    error = (seen**2).mean()
    return {"region": region, "ssim": values.mean() if values.size else None,
            "psnr_db": -10 * np.log10(error) if error > 0 else None, "max_absolute": np.abs(picture[part] - reference[part]).max()}


if __name__ == "__main__":
    picture, reference = pictures()
    _, full = structural_similarity(np.clip(picture, 0, 1), np.clip(reference, 0, 1), gaussian_weights=True, sigma=1.5,
                                    use_sample_covariance=False, data_range=1.0, channel_axis=-1, full=True)
    valid = full[BORDER:-BORDER, BORDER:-BORDER].mean(axis=-1)
    result = {"ssim": valid.mean(), "tiles": worst_tiles(valid, 4),
              "regions": [score(region, picture, reference, valid) for region in REGIONS]}
    (HERE / "regions.json").write_text(json.dumps(result) + "\n")
