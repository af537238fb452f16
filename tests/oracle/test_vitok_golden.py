"""Golden ViTok files: the oracle still reproduces them, and each usual mistake would be seen against them."""
import json
import pathlib
import sys
import unittest
from unittest import mock

import numpy
import torch

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "oracle"))
import vitok  # noqa: E402

sys.path.insert(0, str(TESTS / "golden" / "vitok"))
import generate  # noqa: E402

FOLDER = TESTS / "golden" / "vitok"
CASES = json.loads((FOLDER / "manifest.json").read_text())["cases"]
TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


def array(case, name):
    return torch.from_numpy(numpy.load(FOLDER / case / f"{name}.npy"))


@torch.no_grad()
def run(case, dtype=torch.float32):
    model, picture = vitok.load(FOLDER / case, dtype), array(case, "picture").to(dtype)
    code = model.encode(picture)
    return code.float(), model.decode(code, *picture.shape[-2:]).float()


def rms(a, b):
    return (a - b).square().mean().sqrt().item()


def swapped_gate(self, x):
    gate, value = self.fc1(x).chunk(2, dim=-1)
    return self.fc2(torch.nn.functional.silu(gate) * value)


def half_split_rope(x, cos, sin):
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


class Golden(unittest.TestCase):
    def test_reproduced(self):
        for case, entry in CASES.items():
            for name, dtype in TYPES.items():
                with self.subTest(case=case, type=name):
                    code, output = run(case, dtype)
                    # Another order of summing rounds independently: sqrt(2) of the type's own spread is expected.
                    allowed = {key: max(2 * value["rms"], 1e-5) for key, value in entry["distance"][name].items()}
                    self.assertLessEqual(rms(code, array(case, f"code_{name}")), allowed["code"])
                    self.assertLessEqual(rms(output, array(case, f"output_{name}")), allowed["output"])

    @torch.no_grad()
    def test_shapes_are_reproduced(self):
        model, picture = vitok.load(FOLDER / "shapes", torch.float32), array("shapes", "picture")
        outputs = {}
        for name, options in generate.SHAPES.items():
            with self.subTest(shape=name):
                outputs[name] = generate.run_shaped(model, picture, **options)
                self.assertLessEqual(rms(outputs[name], array("shapes", f"output_{name}_fp32")), 1e-5)
        # A mask that hides what is none changes nothing; a band and other rows do.
        whole = generate.run_shaped(model, picture)
        self.assertLessEqual(rms(outputs["budget"], whole), 1e-5)
        self.assertGreater(rms(outputs["window"], whole), 0.01)
        self.assertGreater(rms(outputs["height"], whole[..., 9:31, :]), 0.01)
        self.assertGreater(rms(outputs["width"], whole[..., 9:31]), 0.01)
        self.assertEqual(outputs["tall"].shape[-2:], (34, 21))

    def test_usual_mistakes_are_visible(self):
        table = vitok.rope_table
        mistakes = {
            "gate and value swapped": mock.patch.object(vitok.SwiGlu, "forward", swapped_gate),
            "halves instead of pairs": mock.patch.object(vitok, "apply_rope", half_split_rope),
            "no rope": mock.patch.object(vitok, "apply_rope", lambda x, cos, sin: x),
            "row and column swapped": mock.patch.object(
                vitok, "rope_table", lambda rows, columns, *rest: table(columns, rows, *rest)),
            "no q/k norm, no norm": mock.patch.object(vitok.RmsNorm, "forward", lambda self, x: x),
        }
        for case, entry in CASES.items():
            for mistake, patch in mistakes.items():
                with self.subTest(case=case, mistake=mistake), patch:
                    self.assertGreater(rms(run(case)[1], array(case, "output_fp32")),
                                       3 * entry["distance"]["bf16"]["output"]["rms"])


if __name__ == "__main__":
    unittest.main()
