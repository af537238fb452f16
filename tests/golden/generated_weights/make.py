#!/usr/bin/env python3
"""Writes generated_weights.json: an implementation of Note [Generated weights] that shares no code with the program.

Python integers for the hash, numpy float32 for the one rounding. Values are stored as the bits of the float32, so
that the comparison is exact. Run it in this folder: python3 make.py
"""
import json
import math
import pathlib

import numpy

MASK = (1 << 64) - 1


def mix(value):
    """The finaliser of splitmix64."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def key_of(seed, name):
    """FNV-1a over the UTF-8 bytes of the name, started from the mixed seed."""
    state = 0xCBF29CE484222325 ^ mix(seed & MASK)
    for byte in name.encode():
        state = ((state ^ byte) * 0x100000001B3) & MASK
    return mix(state)


def value_bits(key, index, factor):
    digest = mix((key + (index + 1) * 0x9E3779B97F4A7C15) & MASK)
    total = sum((digest >> shift) & 0xFFFF for shift in (0, 16, 32, 48)) - 2 * 65535
    value = numpy.float32(total) * factor
    assert value.dtype == numpy.float32
    return int(value.view(numpy.uint32))


def case(seed, name, scale, first, count):
    key = key_of(seed, name)
    factor = numpy.float32(scale / math.sqrt(4.0 * (65536.0**2 - 1.0) / 12.0))
    return {
        "seed": seed,
        "name": name,
        "scale": scale,
        "first": first,
        "key": f"{key:016x}",
        "factor_bits": int(factor.view(numpy.uint32)),
        "bits": [value_bits(key, first + i, factor) for i in range(count)],
    }


CASES = [
    case(42, "encoder/patch_embed.weight", 1 / math.sqrt(768), 0, 16),
    case(42, "encoder/patch_embed.bias", 0.02, 0, 8),
    case(0, "", 1.0, 0, 8),
    case(-1, "decoder/decoder_blocks.3.ffn.fc1.weight", 0.03125, 5_000_000_000, 8),
    case((1 << 63) - 1, "größe", 2.0, (1 << 40) - 4, 8),
]

if __name__ == "__main__":
    text = json.dumps({"cases": CASES}, indent=1, ensure_ascii=False)
    pathlib.Path(__file__).with_name("generated_weights.json").write_text(text + "\n", encoding="utf-8")
