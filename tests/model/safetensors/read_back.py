#!/usr/bin/env python3
"""Reads a .safetensors file with the reference implementation and prints what it found, one tensor a line."""
import sys

try:
    from safetensors import deserialize, safe_open
except ImportError as error:
    print(f"the Python package safetensors is missing: {error}")
    sys.exit(77)

with open(sys.argv[1], "rb") as file:
    for name, tensor in sorted(deserialize(file.read())):
        print(name, tensor["dtype"], list(tensor["shape"]), bytes(tensor["data"]).hex())
with safe_open(sys.argv[1], framework="np") as file:
    print(sorted((file.metadata() or {}).items()))
