#!/usr/bin/env python3
"""Writes the .safetensors files of this folder with the reference implementation (safetensors 0.8.0, torch 2.11.0).

    python tests/golden/safetensors/make.py
"""
import pathlib

import torch
from safetensors.torch import save_file

HERE = pathlib.Path(__file__).parent


def main():
    ramp = torch.arange(6, dtype=torch.float32).reshape(2, 3) / 2
    types = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
             "e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2, "i64": torch.int64, "i32": torch.int32,
             "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "bool": torch.bool}
    save_file({f"layer.{name}": ramp.to(dtype) for name, dtype in types.items()}, HERE / "types.safetensors",
              metadata={"format": "pt"})
    save_file({"scalar": torch.tensor(2.5), "empty": torch.zeros(0, 3), "größe\\\"": torch.tensor([1, 2], dtype=torch.uint8)},
              HERE / "shapes.safetensors")
    save_file({"odd": torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0])},
              HERE / "nonfinite.safetensors")
    save_file({}, HERE / "empty.safetensors")


if __name__ == "__main__":
    main()
