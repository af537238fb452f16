#!/usr/bin/env python3
"""Makes the picture files of tests/golden/image and tests/broken/image, with the pixels expected from them.

Run from anywhere with numpy and Pillow installed (made with numpy 2.4, Pillow 13.0). PNG files are written by the
few lines below, so that every bit depth, colour type and interlacing can be had; JPEG files by Pillow, whose own
decoder gives the expected pixels. Expected pixels are .npy files of shape [3, H, W], 0..1.
"""
import io
import pathlib
import struct
import zlib

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
BROKEN = HERE.parent.parent / "broken" / "image"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width, height, depth, colour, interlaced=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced))


def packed(samples, depth):
    """Rows [H, W, C] of unsigned samples as PNG stores them, with filter 0."""
    rows = b""
    for row in samples.reshape(samples.shape[0], -1):
        if depth == 16:
            rows += b"\0" + row.astype(">u2").tobytes()
        elif depth == 8:
            rows += b"\0" + row.astype("u1").tobytes()
        else:
            bits = "".join(format(int(v), f"0{depth}b") for v in row)
            bits += "0" * (-len(bits) % 8)
            rows += b"\0" + bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
    return rows


def png(samples, depth, colour, interlaced=False, extra=b""):
    height, width = samples.shape[:2]
    if interlaced:
        parts = (samples[y::dy, x::dx] for x, y, dx, dy in ADAM7)
        data = b"".join(packed(part, depth) for part in parts if part.size)
    else:
        data = packed(samples, depth)
    return (SIGNATURE + header(width, height, depth, colour, int(interlaced)) + extra
            + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))


def keep(name, data, expected):
    (HERE / name).write_bytes(data)
    planes = np.ascontiguousarray(np.transpose(expected, (2, 0, 1)).astype("<f4"))
    np.save(HERE / (name + ".npy"), planes)


def grey_to_rgb(values):
    return np.repeat(values, 3, axis=2)


def make_png_files(rng):
    height, width = 11, 17
    for depth in (1, 2, 4, 8, 16):
        top = 2 ** depth - 1
        samples = rng.integers(0, top + 1, (height, width, 1))
        keep(f"grey{depth}.png", png(samples, depth, 0), grey_to_rgb(samples / top))
    for depth in (8, 16):
        top = 2 ** depth - 1
        rgba = rng.integers(0, top + 1, (height, width, 4))
        rgba[0, :5, 3] = top
        rgba[1, :5, 3] = 0
        alpha = rgba[..., 3:] / top
        keep(f"rgb{depth}.png", png(rgba[..., :3], depth, 2), rgba[..., :3] / top)
        keep(f"rgb{depth}_interlaced.png", png(rgba[..., :3], depth, 2, True), rgba[..., :3] / top)
        keep(f"rgba{depth}.png", png(rgba, depth, 6), rgba[..., :3] / top * alpha + 0.5 * (1 - alpha))
        keep(f"greyalpha{depth}.png", png(rgba[..., 2:], depth, 4),
             grey_to_rgb(rgba[..., 2:3] / top * alpha + 0.5 * (1 - alpha)))
    palette = rng.integers(0, 256, (16, 3))
    samples = rng.integers(0, 16, (height, width, 1))
    table = chunk(b"PLTE", palette.astype("u1").tobytes())
    keep("palette4.png", png(samples, 4, 3, extra=table), palette[samples[..., 0]] / 255)
    opacity = np.full(16, 255)
    opacity[:3] = (0, 128, 60)
    alpha = opacity[samples] / 255
    keep("palette4_alpha.png", png(samples, 4, 3, True, table + chunk(b"tRNS", opacity[:3].astype("u1").tobytes())),
         palette[samples[..., 0]] / 255 * alpha + 0.5 * (1 - alpha))
    gamma = chunk(b"gAMA", struct.pack(">I", 100000))
    samples = rng.integers(0, 256, (height, width, 3))
    keep("rgb8_gamma.png", png(samples, 8, 2, extra=gamma), samples / 255)


def jpeg(image, **options):
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", **options)
    return buffer.getvalue()


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")) / 255


def make_jpeg_files():
    y, x = np.mgrid[0:24, 0:40]
    smooth = np.stack([6 * x, 10 * y, 255 - 3 * x - 5 * y], axis=2).clip(0, 255).astype("u1")
    image = Image.fromarray(smooth)
    files = {
        "colour444.jpg": jpeg(image, quality=92, subsampling=0),
        "colour420.jpg": jpeg(image, quality=85, subsampling=2),
        "progressive.jpg": jpeg(image, quality=85, progressive=True),
        "grey.jpg": jpeg(image.convert("L"), quality=85),
    }
    for name, data in files.items():
        keep(name, data, pixels(data))
    upright = pixels(files["colour444.jpg"])
    # What is seen, from what is stored: Exif 2.3, tag 0x0112.
    seen = {1: upright, 2: upright[:, ::-1], 3: upright[::-1, ::-1], 4: upright[::-1],
            5: upright.transpose(1, 0, 2), 6: np.rot90(upright, -1), 7: upright[::-1, ::-1].transpose(1, 0, 2),
            8: np.rot90(upright, 1)}
    for orientation, expected in seen.items():
        exif = Image.Exif()
        exif[0x010F] = "QuantScope"
        exif[0x0112] = orientation
        keep(f"orientation{orientation}.jpg", jpeg(image, quality=92, subsampling=0, exif=exif), expected)
    (BROKEN / "cmyk.jpg").write_bytes(jpeg(image.convert("CMYK"), quality=80))


def make_broken_files():
    one = zlib.compress(b"\0" + bytes(3))
    end = chunk(b"IEND", b"")
    write = lambda name, data: (BROKEN / name).write_bytes(SIGNATURE + data)
    write("huge_header.png", header(0x7FFFFFFF, 0x7FFFFFFF, 16, 6) + chunk(b"IDAT", one) + end)
    write("side_beyond_limit.png", header(16385, 1, 8, 2) + chunk(b"IDAT", one) + end)
    write("pixels_beyond_limit.png", header(16384, 16384, 1, 0) + chunk(b"IDAT", one) + end)
    write("small_file_large_header.png", header(16000, 6000, 8, 2) + chunk(b"IDAT", one) + end)
    write("zero_width.png", header(0, 5, 8, 2) + chunk(b"IDAT", one) + end)
    write("no_pixels.png", header(5, 5, 8, 2) + end)
    write("pixels_end_early.png", header(64, 64, 8, 2) + chunk(b"IDAT", zlib.compress(bytes(9000))) + end)
    write("wrong_checksum.png", header(1, 1, 8, 2) + chunk(b"IDAT", one)[:-1] + b"\xAA" + end)
    write("palette_missing.png", header(1, 1, 8, 3) + chunk(b"IDAT", zlib.compress(b"\0\0")) + end)
    # 32 MiB behind 32 KiB: as pixels that the header does not announce, and as a text.
    bomb = zlib.compress(bytes(32 << 20), 9)
    write("bomb_pixels.png", header(8, 8, 8, 2) + chunk(b"IDAT", bomb) + end)
    write("bomb_text.png", header(1, 1, 8, 2) + chunk(b"zTXt", b"bomb\0\0" + bomb) + chunk(b"tEXt", b"kept\0yes")
          + chunk(b"IDAT", one) + end)


if __name__ == "__main__":
    BROKEN.mkdir(parents=True, exist_ok=True)
    make_png_files(np.random.default_rng(1))
    make_jpeg_files()
    make_broken_files()
