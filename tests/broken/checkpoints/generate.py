"""Writes files that people take for a checkpoint, or that are one no longer.

    python tests/broken/checkpoints/generate.py [FOLDER]
"""
import json
import pathlib
import struct
import sys


def safetensors(tensors, data=b""):
    header = json.dumps(tensors, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + data


def main(folder):
    files = {
        # What lies in a clone without large-file support.
        "pointer.safetensors": b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 205\n",
        # What a download that needs a login leaves.
        "login_page.safetensors": b"<!doctype html><title>Sign in</title><p>Please sign in to continue.</p>\n",
        # A download that broke off: the header promises 16 bytes.
        "cut.safetensors": safetensors({"to_code.bias": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}, b"\0" * 9),
        # A sound file of another model.
        "other_model.safetensors": safetensors(
            {"model.layers.0.mlp.down_proj.weight": {"dtype": "BF16", "shape": [2, 2], "data_offsets": [0, 8]}}, b"\0" * 8),
        # No bytes at all, but extents near 2^48 in every tensor that decides about the architecture.
        "giant_shapes.safetensors": safetensors({
            name: {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]} for name, shape in {
                "patch_embed.weight": [0, 2**48 - 1], "to_code.weight": [2**48 - 1, 0],
                "decoder_embed.weight": [2**48 - 1, 0],
                "encoder_blocks.0.attn.norm_q.weight": [0], "encoder_blocks.0.ffn.fc2.weight": [0, 2**48 - 1],
                "decoder_blocks.0.attn.norm_q.weight": [0], "decoder_blocks.0.ffn.fc2.weight": [0, 2**48 - 1],
            }.items()}),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent)
