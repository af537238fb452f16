#!/usr/bin/env python3
"""Writes the golden files of the Llama family from the oracle: tiny models as Hugging Face stores them.

    python tests/golden/llama/generate.py

Per case: config.json, model.safetensors or shards with model.safetensors.index.json (float32), prompt.npy [B, S] (as
float32), prompt_logits.npy [B, V], generated.npy [B, N], logits.npy [B, V] of the last step, all computed in float64
without a cache, and slip_NAME.npy: the prompt's logits with one of the usual mistakes.
"""
import json
import pathlib
import sys

import numpy
from safetensors.numpy import save_file

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "oracle"))
import llama  # noqa: E402

BASE = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "hidden_size": 32,
        "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
        "vocab_size": 80, "max_position_embeddings": 64, "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "rope_scaling": None,
        "tie_word_embeddings": False, "torch_dtype": "float32", "transformers_version": "4.57.0", "use_cache": True}
CASES = {
    # Grouped query heads, halves, a head of its own; three files.
    "grouped": (BASE, 3, 11),
    # Neighbours instead of halves, tied embeddings, as many key heads, heads wider than the model; one file.
    "pairs_tied": (BASE | {"rope_interleave": True, "tie_word_embeddings": True, "num_key_value_heads": 4, "head_dim": 12,
                           "rms_norm_eps": 1e-6}, 1, 12),
    # Biases of queries, keys and values; one key head for all.
    "qwen": (BASE | {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"], "num_key_value_heads": 1,
                     "rope_theta": 1000000.0}, 1, 13),
    # Stretched wave lengths.
    "stretched": (BASE | {"rope_scaling": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0,
                                           "high_freq_factor": 4.0, "original_max_position_embeddings": 16}}, 1, 14),
}
PROMPT, NEW = 7, 6


def filled(config, random):
    state = {}
    for name, shape in llama.shapes(config).items():
        noise = random.standard_normal(shape)
        if "norm" in name:
            value = 1.0 + 0.3 * noise
        elif name == "model.embed_tokens.weight":
            value = 0.4 * noise  # small, so that epsilon matters
        elif len(shape) == 1:
            value = 0.5 * noise
        else:
            value = 1.6 * noise / shape[1] ** 0.5
        state[name] = value.astype(numpy.float32)
    return state


def store(folder, state, files):
    if files == 1:
        save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
        return
    names, places = sorted(state), {}
    for index in range(files):
        file = f"model-{index + 1:05}-of-{files:05}.safetensors"
        part = {name: state[name] for name in names[index::files]}
        save_file(part, folder / file, metadata={"format": "pt"})
        places |= {name: file for name in part}
    total = sum(value.nbytes for value in state.values())
    (folder / "model.safetensors.index.json").write_text(
        json.dumps({"metadata": {"total_size": total}, "weight_map": places}, indent=2, sort_keys=True) + "\n")


def main():
    for case, (config, files, seed) in CASES.items():
        random = numpy.random.default_rng(seed)
        folder = FOLDER / case
        folder.mkdir(exist_ok=True)
        state = filled(config, random)
        (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
        store(folder, state, files)
        exact = {name: value.astype(numpy.float64) for name, value in state.items()}
        prompt = random.integers(0, config["vocab_size"], (2, PROMPT))
        generated, steps, margin = llama.generate(exact, config, prompt, NEW)
        first = llama.logits(exact, config, prompt)[:, -1]
        for name, value in {"prompt": prompt, "prompt_logits": first, "generated": generated, "logits": steps[:, -1]}.items():
            numpy.save(folder / f"{name}.npy", value.astype(numpy.float32))
        distances = {}
        for slip in llama.SLIPS:
            wrong = llama.logits(exact, config, prompt, slip)[:, -1]
            numpy.save(folder / f"slip_{slip}.npy", wrong.astype(numpy.float32))
            distances[slip] = round(float(abs(wrong - first).max()), 4)
        print(case, "margin", round(margin, 4), "largest", round(float(abs(first).max()), 2), distances)


main()
