"""Trains the demo text model: a language model of bytes in the shape of Llama.

    python3 resources/demo_text_model/train.py --text text.xz --out FOLDER [--minutes 4.5]

Needs PyTorch alone. Writes model.safetensors (bfloat16), config.json, tokenizer.json and training_log.jsonl to FOLDER:
a checkpoint as Hugging Face has them, one token per byte. Prints the loss on held_out.txt, which lies beside this
script and is no part of the text.

Forward and backward run under bfloat16 autocast on float32 weights. Matrices of the blocks take orthogonalised
momentum steps (Muon), embedding and norms take AdamW; the rate falls to nothing over the time or the steps.
"""
import argparse
import json
import lzma
import math
import pathlib
import struct
import time

START = time.monotonic()

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
# 1.9 million parameters: 3.8 MB. Every input of a Linear is a multiple of 128, the usual group of 4-bit weights.
HIDDEN, LAYERS, HEADS, KEY_HEADS, FEED_FORWARD, VOCABULARY, CONTEXT = 256, 4, 4, 1, 384, 256, 512
HEAD_WIDTH, EPSILON, THETA = HIDDEN // HEADS, 1e-5, 10000.0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--text", type=pathlib.Path, required=True, help="what collect_text.py wrote, .xz or plain")
    parser.add_argument("--held-out", type=pathlib.Path, default=HERE / "held_out.txt")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=4.5, help="wall-clock time of the training")
    parser.add_argument("--steps", type=int, default=0, help="so many steps instead, by no clock")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--batch", type=int, default=128, help="windows of CONTEXT bytes per step")
    parser.add_argument("--rate", type=float, default=4e-3, help="peak learning rate of AdamW")
    parser.add_argument("--matrix-rate", type=float, default=2e-2, help="peak learning rate of Muon")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--no-compile", action="store_true", help="never try torch.compile")
    return parser.parse_args()


# --- network, under the names of Hugging Face's checkpoints --------------------------------------------------

class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(HIDDEN))

    def forward(self, x):
        return F.rms_norm(x, (HIDDEN,), self.weight.to(x.dtype), EPSILON)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(HIDDEN, HEADS * HEAD_WIDTH, bias=False)
        self.k_proj = nn.Linear(HIDDEN, KEY_HEADS * HEAD_WIDTH, bias=False)
        self.v_proj = nn.Linear(HIDDEN, KEY_HEADS * HEAD_WIDTH, bias=False)
        self.o_proj = nn.Linear(HEADS * HEAD_WIDTH, HIDDEN, bias=False)

    def forward(self, x, cos, sin):
        def heads(projection, count):
            return projection(x).view(*x.shape[:2], count, HEAD_WIDTH).transpose(1, 2)

        def turned(y):
            left, right = y.chunk(2, -1)
            return y * cos + torch.cat([-right, left], -1) * sin

        q = turned(heads(self.q_proj, HEADS))
        k = turned(heads(self.k_proj, KEY_HEADS)).repeat_interleave(HEADS // KEY_HEADS, 1)
        v = heads(self.v_proj, KEY_HEADS).repeat_interleave(HEADS // KEY_HEADS, 1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(y.transpose(1, 2).reshape(*x.shape[:2], -1))


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(HIDDEN, FEED_FORWARD, bias=False)
        self.up_proj = nn.Linear(HIDDEN, FEED_FORWARD, bias=False)
        self.down_proj = nn.Linear(FEED_FORWARD, HIDDEN, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.input_layernorm, self.self_attn = Norm(), Attention()
        self.post_attention_layernorm, self.mlp = Norm(), Mlp()

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))


class Trunk(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(VOCABULARY, HIDDEN)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = Norm()


class TextModel(nn.Module):
    """The head multiplies by the embedding."""

    def __init__(self):
        super().__init__()
        self.model = Trunk()
        angles = torch.outer(torch.arange(CONTEXT).float(), THETA ** -(torch.arange(0, HEAD_WIDTH, 2) / HEAD_WIDTH))
        angles = torch.cat([angles, angles], -1)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, tokens):
        x = self.model.embed_tokens(tokens)
        length = tokens.shape[1]
        for layer in self.model.layers:
            x = layer(x, self.cos[:length].to(x.dtype), self.sin[:length].to(x.dtype))
        return F.linear(self.model.norm(x), self.model.embed_tokens.weight.to(x.dtype))


def initialise(model):
    for name, parameter in model.named_parameters():
        if parameter.dim() == 2:
            into_the_stream = name.endswith(("o_proj.weight", "down_proj.weight"))
            scale = parameter.shape[1] ** -0.5 / (math.sqrt(2 * LAYERS) if into_the_stream else 1)
            nn.init.normal_(parameter, std=0.02 if "embed" in name else scale)


# --- text and loss -------------------------------------------------------------------------------------------

def bytes_of(path):
    data = lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes()
    return torch.frombuffer(bytearray(data), dtype=torch.uint8)


def loss_of(model, windows):
    """Mean cross-entropy of the next byte, in nats."""
    logits = model(windows[:, :-1])
    return F.cross_entropy(logits.float().reshape(-1, VOCABULARY), windows[:, 1:].reshape(-1))


@torch.no_grad()
def held_out_loss(model, text, device):
    """Over windows that do not overlap, each without what stands before it."""
    windows = text[: len(text) // (CONTEXT + 1) * (CONTEXT + 1)].view(-1, CONTEXT + 1).long().to(device)
    losses = [loss_of(model, part) * len(part) for part in windows.split(32)]
    return (sum(losses) / len(windows)).item()


# --- files ---------------------------------------------------------------------------------------------------

def write_safetensors(path, tensors, metadata):
    header, offset = {"__metadata__": metadata}, 0
    for name, tensor in tensors.items():
        size = 2 * tensor.numel()
        header[name] = {"dtype": "BF16", "shape": list(tensor.shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(tensor.contiguous().view(torch.int16).numpy().tobytes())


def byte_letters():
    """How a byte-level tokenizer writes each byte: printable ones as they are, others above U+0100."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = (byte for byte in range(256) if byte not in printable)
    letters = {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(others)}
    return [letters[byte] for byte in range(256)]


def write_description(folder):
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": HIDDEN,
              "intermediate_size": FEED_FORWARD, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
              "num_key_value_heads": KEY_HEADS, "head_dim": HEAD_WIDTH, "vocab_size": VOCABULARY,
              "max_position_embeddings": CONTEXT, "rms_norm_eps": EPSILON, "rope_theta": THETA, "hidden_act": "silu",
              "tie_word_embeddings": True, "attention_bias": False, "torch_dtype": "bfloat16"}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    tokenizer = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
                 "pre_tokenizer": level, "post_processor": None, "decoder": level,
                 "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                           "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                           "vocab": {letter: byte for byte, letter in enumerate(byte_letters())}, "merges": []}}
    text = json.dumps(tokenizer, indent=1, ensure_ascii=False) + "\n"
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")


# --- training ------------------------------------------------------------------------------------------------

class Trainer:
    def __init__(self, options):
        torch.manual_seed(options.seed)
        self.options, self.device = options, torch.device(options.device)
        options.out.mkdir(parents=True, exist_ok=True)
        self.log_file = open(options.out / "training_log.jsonl", "w", encoding="utf-8")
        self.text = bytes_of(options.text).to(self.device)
        self.held_out = bytes_of(options.held_out)
        self.model = TextModel()
        initialise(self.model)
        self.model.to(self.device)
        self.compiled = self.model if options.no_compile else torch.compile(self.model)
        named = dict(self.model.named_parameters())
        matrices = [p for name, p in named.items() if p.dim() == 2 and "embed" not in name]
        others = [p for name, p in named.items() if p.dim() != 2 or "embed" in name]
        self.optimizers = [torch.optim.Muon(matrices, lr=options.matrix_rate, weight_decay=0.01),
                           torch.optim.AdamW(others, lr=options.rate, betas=(0.9, 0.95), weight_decay=0.0)]
        self.rates = [options.matrix_rate, options.rate]
        self.log("start", torch=torch.__version__, device=options.device, bytes=len(self.text),
                 held_out_bytes=len(self.held_out), parameters=sum(p.numel() for p in self.model.parameters()),
                 batch=options.batch, seed=options.seed)

    def log(self, event, **fields):
        line = json.dumps({"event": event, "seconds": round(time.monotonic() - START, 2), **fields})
        self.log_file.write(line + "\n")
        self.log_file.flush()
        print(line, flush=True)

    def windows(self):
        # Places are drawn on the CPU: the same on every device.
        starts = torch.randint(len(self.text) - CONTEXT - 1, (self.options.batch, 1)).to(self.device)
        return self.text[starts + torch.arange(CONTEXT + 1, device=self.device)].long()

    def step(self, share):
        factor = min(1.0, share / 0.01 + 0.02) * max(0.0, min(1.0, (1 - share) / 0.6))
        with torch.autocast(self.device.type, torch.bfloat16):
            loss = loss_of(self.compiled, self.windows())
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimizer, rate in zip(self.optimizers, self.rates):
            for group in optimizer.param_groups:
                group["lr"] = rate * factor
            optimizer.step()
            optimizer.zero_grad()
        return loss.detach()

    def warm_up(self):
        """Compilation is no training time; where it is impossible the model runs as it is."""
        try:
            self.step(0.0).item()
        except Exception as error:
            if self.compiled is self.model:
                raise
            self.log("not compiled", reason=str(error).splitlines()[0][:200])
            self.compiled = self.model
            self.step(0.0).item()

    def run(self):
        self.warm_up()
        begin = reported = time.monotonic()
        step, share = 1, 0.0
        while share < 1:
            loss = self.step(share)
            step += 1
            if step % 10 == 0 and self.device.type == "cuda":
                torch.cuda.synchronize()  # keeps the clock honest: the queue may not run ahead of it
            now = time.monotonic()
            share = step / self.options.steps if self.options.steps else (now - begin) / (60 * self.options.minutes)
            if now - reported > 15:
                self.log("progress", step=step, share=round(share, 3), loss=round(loss.item(), 4))
                reported = now
                if not math.isfinite(loss.item()):
                    raise SystemExit("the loss is no number any more: try a smaller --matrix-rate")
        return step

    def finish(self, steps):
        weights = {name: p.detach().to("cpu", torch.bfloat16) for name, p in self.model.named_parameters()}
        write_safetensors(self.options.out / "model.safetensors", weights,
                          {"format": "pt", "seed": str(self.options.seed), "steps": str(steps)})
        write_description(self.options.out)
        judged = TextModel()
        judged.load_state_dict({name: weight.float() for name, weight in weights.items()})
        loss = held_out_loss(judged.to(self.device), self.held_out, self.device)
        size = (self.options.out / "model.safetensors").stat().st_size
        self.log("result", steps=steps, file_bytes=size, held_out_loss_nats=round(loss, 5))
        print(f"Loss on the held-out text: {loss:.4f} nats per byte ({loss / math.log(2):.4f} bits), weights in bf16")


def main():
    trainer = Trainer(arguments())
    trainer.finish(trainer.run())


if __name__ == "__main__":
    main()
