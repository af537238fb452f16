#!/usr/bin/env python3
"""Makes the resize goldens: Pillow's own filters in mode F, where it neither rounds nor clamps.

Run from anywhere with numpy and Pillow installed (made with numpy 2.4, Pillow 13.0). The input is computed from a
formula that the test repeats. Output: resize_<case>.npy, float32 [H, W].
"""
import pathlib

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
FILTERS = {"box": Image.Resampling.BOX, "bicubic": Image.Resampling.BICUBIC, "lanczos": Image.Resampling.LANCZOS}


def picture(width, height):
    y, x = np.mgrid[0:height, 0:width]
    return ((x * 37 + y * 11 + (x * y) % 7 * 29) % 256 / 256).astype("f4")


def resize(values, size, name):
    return np.asarray(Image.fromarray(values, "F").resize(size, FILTERS[name]))


def resize_in_range(values, size, name):
    """One direction after the other, limited in between, as 8-bit pictures are."""
    across = resize(values, (size[0], values.shape[0]), name).clip(0, 1)
    return resize(across, size, name).clip(0, 1)


def center_crop_adm(values, size):
    while min(values.shape) >= 2 * size:
        values = resize(values, (values.shape[1] // 2, values.shape[0] // 2), "box")
    scale = size / min(values.shape)
    size_now = round(values.shape[1] * scale), round(values.shape[0] * scale)
    values = resize_in_range(values, size_now, "bicubic")
    top, left = (values.shape[0] - size) // 2, (values.shape[1] - size) // 2
    return values[top:top + size, left:left + size]


def fit(values, longest):
    scale = longest / max(values.shape)
    if scale >= 1:
        return values
    size = max(1, round(values.shape[1] * scale)), max(1, round(values.shape[0] * scale))
    return resize_in_range(values, size, "lanczos")


def keep(name, values):
    np.save(HERE / f"resize_{name}.npy", np.ascontiguousarray(values.astype("<f4")))


if __name__ == "__main__":
    source = picture(53, 37)
    for name in FILTERS:
        for width, height in ((20, 11), (90, 61), (53, 10), (7, 37)):
            keep(f"{name}_{width}x{height}", resize(source, (width, height), name))
    for size in (8, 16, 24, 37, 50):
        keep(f"adm_{size}", center_crop_adm(source, size))
    for longest in (5, 20, 52):
        keep(f"fit_{longest}", fit(source, longest))
