#!/usr/bin/env python3
"""Makes the goldens of FLIP with NVIDIA's own implementation.

Run from anywhere with numpy and flip-evaluator installed (made with numpy 2.4, flip-evaluator 1.7). The pictures are
computed from formulas that the test repeats: multiples of 1/256, exact in float32. Output: flip.json, with the mean of each
pair and every 5th value of its map; of the pairs in WHOLE, the whole map.
"""
import json
import pathlib

import flip_evaluator
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
WIDTH, HEIGHT, STEP = 90, 70, 5
WHOLE = ("one pixel", "strong noise")


def reference():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    red = (x * 2 + 40 * ((x // 8 + y // 8) % 2)) % 257
    green = (y * 3 + 90 * ((x - 45) ** 2 + (y - 35) ** 2 < 600)) % 257
    blue = (x * y // 16) % 257
    return np.stack([red, green, blue], axis=-1)


def pairs(ref):
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    noise = np.stack([(x * 193 + y * 71 + c * 57) * (x + 3 * y + c) % 31 - 15 for c in range(3)], axis=-1)
    yield "identical", ref
    yield "one pixel", ref + 200 * ((x == 40) & (y == 30))[..., None]
    yield "brighter", ref + 10
    yield "weak noise", ref + noise // 4
    yield "noise", ref + noise
    yield "strong noise", ref + noise * 4
    yield "few levels", ref // 32 * 32 + 16
    yield "shifted", np.roll(ref, 1, axis=1)
    yield "channels swapped", ref[..., ::-1]
    yield "inverted", 256 - ref
    yield "grey", np.repeat(ref.sum(axis=-1, keepdims=True) // 3, 3, axis=-1)
    yield "black", ref * 0


def main():
    ref = np.clip(reference(), 0, 256)
    out = {"width": WIDTH, "height": HEIGHT, "cases": []}
    for name, test in pairs(ref):
        a = (np.clip(test, 0, 256) / 256).astype(np.float32)
        b = (ref / 256).astype(np.float32)
        for ppd in (67.0,) if name != "noise" else (67.0, 30.0):
            error, mean, _ = flip_evaluator.evaluate(b, a, "LDR", inputsRGB=True, applyMagma=False,
                                                     parameters={"ppd": ppd})
            error = np.asarray(error).reshape(HEIGHT, WIDTH)
            step = 1 if name in WHOLE else STEP
            out["cases"].append({"name": name, "ppd": ppd, "mean": float(mean), "step": step,
                                 "map": [round(float(v), 6) for v in error[::step, ::step].ravel()]})
            print(f"{name:18} ppd {ppd:4} mean {mean:.6f}")
    (HERE / "flip.json").write_text(json.dumps(out) + "\n")


if __name__ == "__main__":
    main()
