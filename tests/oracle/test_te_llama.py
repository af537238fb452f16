#!/usr/bin/env python3
"""Llama with fused products: a checkpoint of Hugging Face converted gives the logits of the golden files, and the blocks
of the benchmark those of a module written here as the benchmark writes it, also where regions of them are compiled.

    test_te_llama.py CLI
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy
import torch
import torch.nn.functional as F
from safetensors.torch import load_file

import sweeps

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "llama"
HEADS, WIDTH = 4, 16


def run(cli, folder, model, tokens, precision, name):
    numpy.save(folder / f"{name}.npy", tokens.numpy())
    rows = sweeps.rows_of(
        cli, folder, {"model": str(model), "precision": precision, "batch": len(tokens), "sequence": tokens.shape[1]},
        {"compile": ["none"]}, ["--input", f"tokens=file:{folder / name}.npy"],
        {"pictures": {"count": len(tokens)}}, name)
    row = next(each for each in rows if each["precision"] == precision and each["rerun"] == "0")
    return sweeps.stored(folder, row["cell"], name)


def check_import(cli, folder):
    for case in ("grouped", "pairs_tied"):
        fused = folder / case
        sweeps.command(cli, "convert", GOLDEN / case, "--out", fused)
        tokens = torch.from_numpy(numpy.load(GOLDEN / case / "prompt.npy").astype(numpy.int64))
        found = run(cli, folder, fused, tokens, "fp32", f"{case}_run").reshape(len(tokens), -1)
        wanted = numpy.load(GOLDEN / case / "prompt_logits.npy")
        assert numpy.abs(found.numpy() - wanted).max() < 1e-4, case
        again = subprocess.run([cli, "convert", GOLDEN / case, "--out", fused], capture_output=True, check=False)
        assert again.returncode != 0, "files are not written over"
    biased = subprocess.run([cli, "convert", GOLDEN / "qwen", "--out", folder / "qwen"], capture_output=True, check=False,
                            text=True)
    assert biased.returncode != 0 and "bias" in biased.stderr, biased.stderr
    assert not (folder / "qwen" / "model.safetensors").exists()


def benchmark(state, tokens, dtype):
    """te_llama_simple.py's forward pass in plain PyTorch, logits of the last position."""
    state = {name: value.to(dtype) for name, value in state.items()}
    batch, length = tokens.shape
    frequency = (1.0 / 10000 ** (torch.arange(0, WIDTH, 2).float() / WIDTH)).to(dtype)
    angle = torch.arange(length).to(dtype)[:, None] * frequency
    # Its table has sines at even places and cosines at odd ones, and takes them for each other.
    cosine, sine = angle.sin(), angle.cos()

    def turned(x):
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * cosine - odd * sine, even * sine + odd * cosine], -1).flatten(-2)

    def norm(x, name, eps):
        return F.rms_norm(x.float(), x.shape[-1:], state[name].float(), eps).to(dtype)

    x = state["embedding.weight"][tokens]
    for layer in range(sum(name.endswith("qkv.weight") for name in state)):
        path = f"layers.{layer}."
        y = norm(x, path + "input_norm.weight", 1e-5) @ state[path + "qkv.weight"].T
        q, k, v = (each.transpose(1, 2) for each in y.view(batch, length, 3, HEADS, WIDTH).unbind(2))
        y = F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True)
        x = x + y.transpose(1, 2).reshape(batch, length, -1) @ state[path + "out.weight"].T
        gate, value = (norm(x, path + "mlp_norm.weight", 1e-5) @ state[path + "fc1.weight"].T).chunk(2, -1)
        x = x + (F.silu(gate) * value) @ state[path + "fc2.weight"].T
    x = norm(x, "norm.weight", torch.finfo(torch.float32).eps)
    return (x @ state["lm_head.weight"].T)[:, -1].float()


def a_checkpoint(folder):
    """As Hugging Face would have it: 4 heads of 16, epsilon 1e-5."""
    torch.manual_seed(5)
    hidden, ffn, vocabulary, layers = HEADS * WIDTH, 96, 128, 2
    shapes = {"model.embed_tokens": (vocabulary, hidden), "lm_head": (vocabulary, hidden)}
    for layer in range(layers):
        path = f"model.layers.{layer}."
        for name in ("q", "k", "v", "o"):
            shapes[f"{path}self_attn.{name}_proj"] = (hidden, hidden)
        shapes |= {f"{path}mlp.gate_proj": (ffn, hidden), f"{path}mlp.up_proj": (ffn, hidden),
                   f"{path}mlp.down_proj": (hidden, ffn), f"{path}input_layernorm": (hidden,),
                   f"{path}post_attention_layernorm": (hidden,)}
    shapes["model.norm"] = (hidden,)
    from safetensors.torch import save_file
    folder.mkdir()
    state = {}
    for name, shape in shapes.items():
        value = torch.randn(shape) * (0.1 if len(shape) == 1 else 2.0 * shape[-1] ** -0.5)
        state[f"{name}.weight"] = value + (1.0 if len(shape) == 1 else 0.0)
    save_file(state, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({
        "model_type": "llama", "hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": HEADS,
        "intermediate_size": ffn, "vocab_size": vocabulary, "rms_norm_eps": 1e-5}))
    return folder


def check_benchmark(cli, folder):
    exact = folder / "exact"
    sweeps.command(cli, "convert", a_checkpoint(folder / "source"), "--out", exact)
    coarse = folder / "coarse"
    shutil.copytree(exact, coarse)
    config = json.loads((coarse / "config.json").read_text())
    config["variant"] = config["variant"].removesuffix("_exact")
    (coarse / "config.json").write_text(json.dumps(config))
    state = load_file(coarse / "model.safetensors")
    tokens = torch.randint(0, 128, (2, 400))  # bfloat16 does not tell these positions apart

    def distance(a, b):
        return float((a - b).norm() / b.norm())

    single = run(cli, folder, coarse, tokens, "fp32", "single").reshape(2, -1)
    assert distance(single, benchmark(state, tokens, torch.float32)) < 1e-5
    half = run(cli, folder, coarse, tokens, "bf16", "half").reshape(2, -1)
    wanted = benchmark(state, tokens, torch.bfloat16)
    assert distance(half, wanted) < 0.03, distance(half, wanted)
    assert distance(single, wanted) > 0.1, "the coarse table would be seen"


def check_regions(cli, folder):
    """A block whose regions are compiled gives what it gives eagerly, and the rest of it is as it was."""
    os.environ["QS_COMPILING_PYTHON"] = sys.executable
    os.environ["QUANTSCOPE_PYTHON"] = str(pathlib.Path(__file__).parents[1] / "support" / "compile_once.sh")
    defaults = {"model": "te-llama:w64_d1_h4_k2_f96_v128", "precision": "bf16", "batch": 2, "sequence": 16}
    rows = sweeps.rows_of(cli, folder, defaults, {"compile": ["none", "regions:rope+silu_gate"]},
                          more={"pictures": {"count": 2}}, name="regions")
    cells = {row["compile"]: row["cell"] for row in rows if row["precision"] == "bf16" and row["rerun"] == "0"}
    assert len(cells) == 2, cells
    eager = sweeps.stored(folder, cells.pop("eager"), "regions").double()
    compiled = sweeps.stored(folder, cells.popitem()[1], "regions").double()
    distance = (compiled - eager).norm() / eager.norm()
    assert distance < 0.02, distance
    report = json.loads((folder / "regions_report" / "report.json").read_text())
    cost = next(cell["compile_cost"] for cell in report["cells"] if "compile_cost" in cell)
    assert {stage["region"] for stage in cost["stages"]} == {"rope", "silu_gate"}, cost["stages"]


def main():
    cli = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        check_import(cli, pathlib.Path(folder))
        check_benchmark(cli, pathlib.Path(folder))
        check_regions(cli, pathlib.Path(folder))


if __name__ == "__main__":
    main()
