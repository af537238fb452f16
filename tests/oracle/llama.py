"""A causal language model in the shape of Llama in float64 NumPy, independent of the product and of PyTorch.

No cache: each step computes the whole sequence anew. `slip` makes one of the usual mistakes, to show that a comparison
would see it: "rope_halves" (the other of the two pairings), "eps", "gate_order" (silu on the wrong half), "head_order"
(query heads share key heads in turns instead of in groups), "scale" (of the hidden width instead of the head's).
"""
import numpy as np

SLIPS = ("rope_halves", "eps", "gate_order", "head_order", "scale")


def shapes(config):
    """Names and shapes of the state dict."""
    hidden, width = config["hidden_size"], config["head_dim"]
    heads, key_heads, ffn = config["num_attention_heads"], config["num_key_value_heads"], config["intermediate_size"]
    found = {"model.embed_tokens.weight": (config["vocab_size"], hidden)}
    for layer in range(config["num_hidden_layers"]):
        path = f"model.layers.{layer}"
        for name, count in (("q", heads), ("k", key_heads), ("v", key_heads)):
            found[f"{path}.self_attn.{name}_proj.weight"] = (count * width, hidden)
            if config["model_type"] == "qwen2":
                found[f"{path}.self_attn.{name}_proj.bias"] = (count * width,)
        found[f"{path}.self_attn.o_proj.weight"] = (hidden, heads * width)
        found[f"{path}.mlp.gate_proj.weight"] = found[f"{path}.mlp.up_proj.weight"] = (ffn, hidden)
        found[f"{path}.mlp.down_proj.weight"] = (hidden, ffn)
        found[f"{path}.input_layernorm.weight"] = found[f"{path}.post_attention_layernorm.weight"] = (hidden,)
    found["model.norm.weight"] = (hidden,)
    if not config["tie_word_embeddings"]:
        found["lm_head.weight"] = (config["vocab_size"], hidden)
    return found


def inverse_frequencies(config):
    width = config["head_dim"]
    frequency = 1.0 / config["rope_theta"] ** (np.arange(0, width, 2) / width)
    scaling = config.get("rope_scaling")
    if scaling is None:
        return frequency
    # Llama 3.1: long waves are stretched, short ones are not, those between are blended.
    length = 2 * np.pi / frequency
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    original = scaling["original_max_position_embeddings"]
    blend = np.clip((original / length - low) / (high - low), 0.0, 1.0)
    return frequency * (blend + (1.0 - blend) / scaling["factor"])


def silu(x):
    return x / (1.0 + np.exp(-x))


def logits(state, config, tokens, slip=None):
    """tokens [B, N] -> [B, N, V]"""
    eps = 1e-2 if slip == "eps" else config["rms_norm_eps"]
    width, heads, key_heads = config["head_dim"], config["num_attention_heads"], config["num_key_value_heads"]
    pairs = config.get("rope_interleave", False) != (slip == "rope_halves")
    batch, length = tokens.shape
    angles = np.arange(length)[:, None] * inverse_frequencies(config)[None, :]
    cosine, sine = np.cos(angles), np.sin(angles)

    def norm(x, name):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * state[f"{name}.weight"]

    def projected(x, name):
        return x @ state[f"{name}.weight"].T + state.get(f"{name}.bias", 0.0)

    def turned(x):
        first, second = (x[..., 0::2], x[..., 1::2]) if pairs else np.split(x, 2, -1)
        parts = first * cosine - second * sine, second * cosine + first * sine
        return np.stack(parts, -1).reshape(x.shape) if pairs else np.concatenate(parts, -1)

    def split(x, count):
        return x.reshape(batch, length, count, width).transpose(0, 2, 1, 3)

    def attended(x, path):
        query = turned(split(projected(x, f"{path}.q_proj"), heads))
        key = turned(split(projected(x, f"{path}.k_proj"), key_heads))
        value = split(projected(x, f"{path}.v_proj"), key_heads)
        group = np.arange(heads) % key_heads if slip == "head_order" else np.arange(heads) // (heads // key_heads)
        scale = config["hidden_size"] if slip == "scale" else width
        scores = query @ key[:, group].transpose(0, 1, 3, 2) / np.sqrt(scale)
        scores = np.where(np.tril(np.ones((length, length), bool)), scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = weights / weights.sum(-1, keepdims=True) @ value[:, group]
        return projected(mixed.transpose(0, 2, 1, 3).reshape(batch, length, heads * width), f"{path}.o_proj")

    x = state["model.embed_tokens.weight"][tokens]
    for layer in range(config["num_hidden_layers"]):
        path = f"model.layers.{layer}"
        x = x + attended(norm(x, f"{path}.input_layernorm"), f"{path}.self_attn")
        normed = norm(x, f"{path}.post_attention_layernorm")
        gate, up = projected(normed, f"{path}.mlp.gate_proj"), projected(normed, f"{path}.mlp.up_proj")
        mixed = gate * silu(up) if slip == "gate_order" else silu(gate) * up
        x = x + projected(mixed, f"{path}.mlp.down_proj")
    head = "model.embed_tokens" if config["tie_word_embeddings"] else "lm_head"
    return norm(x, "model.norm") @ state[f"{head}.weight"].T


def generate(state, config, tokens, count):
    """Greedy: the tokens that follow [B, count], the logits that chose them [B, count, V], and the least margin."""
    chosen, steps, margin = [], [], np.inf
    for _ in range(count):
        last = logits(state, config, tokens)[:, -1]
        ranked = np.sort(last, -1)
        margin = min(margin, float((ranked[:, -1] - ranked[:, -2]).min()))
        chosen.append(last.argmax(-1))
        steps.append(last)
        tokens = np.concatenate([tokens, chosen[-1][:, None]], 1)
    return np.stack(chosen, 1), np.stack(steps, 1), margin
