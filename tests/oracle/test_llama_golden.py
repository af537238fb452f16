"""Golden Llama files: the oracle still reproduces them, agrees with PyTorch's attention, and sees each usual mistake."""
import json
import pathlib
import sys
import unittest

import numpy
import torch
from safetensors.numpy import load_file

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "oracle"))
import llama  # noqa: E402

FOLDER = TESTS / "golden" / "llama"
CASES = ("grouped", "pairs_tied", "qwen", "stretched")


def load(case):
    folder = FOLDER / case
    state = {}
    for file in sorted(folder.glob("*.safetensors")):
        state |= {name: value.astype(numpy.float64) for name, value in load_file(file).items()}
    return state, json.loads((folder / "config.json").read_text())


def array(case, name):
    return numpy.load(FOLDER / case / f"{name}.npy")


def distance(a, b):
    return float(numpy.abs(a - b).max())


class Golden(unittest.TestCase):
    def test_names_and_shapes_are_those_of_the_configuration(self):
        for case in CASES:
            state, config = load(case)
            self.assertEqual({name: value.shape for name, value in state.items()}, llama.shapes(config), case)

    def test_the_oracle_reproduces_logits_and_tokens(self):
        for case in CASES:
            state, config = load(case)
            prompt = array(case, "prompt").astype(numpy.int64)
            generated, steps, margin = llama.generate(state, config, prompt, array(case, "generated").shape[1])
            self.assertLess(distance(steps[:, 0], array(case, "prompt_logits")), 1e-5, case)
            self.assertLess(distance(steps[:, -1], array(case, "logits")), 1e-5, case)
            self.assertTrue((generated == array(case, "generated")).all(), case)
            # No choice hangs on a rounding.
            self.assertGreater(margin, 1e-3, case)

    def test_each_mistake_would_be_seen(self):
        for case in CASES:
            state, config = load(case)
            prompt = array(case, "prompt").astype(numpy.int64)
            for slip in llama.SLIPS:
                if slip == "head_order" and config["num_key_value_heads"] in (1, config["num_attention_heads"]):
                    continue
                wrong = llama.logits(state, config, prompt, slip)[:, -1]
                self.assertGreater(distance(wrong, array(case, "prompt_logits")), 0.1, (case, slip))

    def test_attention_is_pytorchs(self):
        """One grouped causal attention of the oracle's arithmetic against scaled_dot_product_attention."""
        random = numpy.random.default_rng(3)
        query, key, value = (random.standard_normal((2, heads, 5, 8)) for heads in (4, 2, 2))
        group = numpy.arange(4) // 2
        scores = query @ key[:, group].transpose(0, 1, 3, 2) / numpy.sqrt(8)
        scores = numpy.where(numpy.tril(numpy.ones((5, 5), bool)), scores, -numpy.inf)
        weights = numpy.exp(scores - scores.max(-1, keepdims=True))
        mixed = weights / weights.sum(-1, keepdims=True) @ value[:, group]
        theirs = torch.nn.functional.scaled_dot_product_attention(
            *(torch.from_numpy(each) for each in (query, key, value)), is_causal=True, enable_gqa=True)
        self.assertLess(distance(mixed, theirs.numpy()), 1e-12)


if __name__ == "__main__":
    unittest.main()
