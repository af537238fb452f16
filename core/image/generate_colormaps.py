#!/usr/bin/env python3
"""Writes colormap_tables.cpp: 256 sRGB colours for each map. Needs matplotlib and numpy (made with 3.11 and 2.4).

magma: the table of Stefan van der Walt and Nathaniel Smith, dedicated to the public domain (CC0), as matplotlib
carries it. blueWhiteRed: our own, straight lines in OKLab from a dark blue over near-white to a dark red, so that equal
steps look equal on both sides of zero.
"""
import pathlib

import matplotlib
import numpy as np

TO_LMS = np.array([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                   [0.0883024619, 0.2817188376, 0.6299787005]])
TO_LAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                   [0.0259040371, 0.7827717662, -0.8086757660]])


def to_oklab(srgb):
    srgb = np.asarray(srgb, dtype=float)
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return TO_LAB @ np.cbrt(TO_LMS @ linear)


def to_srgb(lab):
    linear = np.linalg.inv(TO_LMS) @ (np.linalg.inv(TO_LAB) @ lab) ** 3
    linear = linear.clip(0, 1)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


def blue_white_red():
    stops = [to_oklab(c) for c in ((0.02, 0.13, 0.42), (0.20, 0.47, 0.80), (0.96, 0.96, 0.95), (0.84, 0.36, 0.22),
                                   (0.40, 0.02, 0.10))]
    places = [0, 0.25, 0.5, 0.75, 1]
    for position in np.arange(256) / 255:
        yield to_srgb(np.array([np.interp(position, places, [s[i] for s in stops]) for i in range(3)]))


def table(name, colours):
    bytes_ = [tuple(int(v * 255 + 0.5) for v in colour[:3]) for colour in colours]
    rows = []
    for start in range(0, 256, 6):
        rows.append("    " + ", ".join("{{%d, %d, %d}}" % c for c in bytes_[start:start + 6]))
    return f"const ColormapTable {name}{{{{\n" + ",\n".join(rows) + "}};\n"


if __name__ == "__main__":
    text = ('// Written by generate_colormaps.py; do not edit.\n#include "core/image/colormap_tables.h"\n\n'
            "// clang-format off\nnamespace qs::core {\n\n"
            + table("kMagmaTable", matplotlib.colormaps["magma"].colors) + "\n"
            + table("kBlueWhiteRedTable", blue_white_red()) + "\n}  // namespace qs::core\n// clang-format on\n")
    (pathlib.Path(__file__).resolve().parent / "colormap_tables.cpp").write_text(text, encoding="utf-8")
