"""Training code of the demo model in miniature: pictures, optimiser, schedule, and one whole run of a few seconds."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO = ROOT / "resources" / "demo_model"
sys.path[:0] = [str(DEMO), str(ROOT / "tests" / "oracle")]
import pictures  # noqa: E402
import train  # noqa: E402
import vitok  # noqa: E402

SMALL = "w32_d1_h2-w48_d2_h2/1x8x16"
OPTIONS = types.SimpleNamespace(rate=1e-3, matrix_rate=1e-3, decay=0.01)


def trained_pair():
    torch.manual_seed(3)
    models = [vitok.AutoEncoder(vitok.Variant.parse(SMALL)).bfloat16() for _ in range(2)]
    train.initialise(models[0])
    optimizer = train.Optimizer(models[0], OPTIONS)
    optimizer.attach(models[0])
    return models[0], models[1], optimizer


class Pictures(unittest.TestCase):
    def test_batch_is_varied_and_repeatable(self):
        torch.manual_seed(1)
        first = pictures.batch(16, 64, "cpu")
        torch.manual_seed(1)
        self.assertTrue(torch.equal(first, pictures.batch(16, 64, "cpu")))
        self.assertEqual((first.dtype, tuple(first.shape)), (torch.uint8, (16, 64, 64, 3)))
        means = first.float().mean((1, 2, 3))
        self.assertGreater(means.std(), 10)
        self.assertGreater(first.float().std((1, 2)).mean(), 5)

    def test_held_out_leaves_the_generator_alone(self):
        torch.manual_seed(2)
        expected = torch.rand(3)
        torch.manual_seed(2)
        held_out = pictures.held_out(16, 32)
        self.assertTrue(torch.equal(torch.rand(3), expected))
        self.assertTrue(torch.equal(held_out, pictures.held_out(16, 32)))

    def test_noise_has_the_asked_slope(self):
        torch.manual_seed(3)
        field = pictures.spectral_noise(8, 1, 128, torch.full((8, 1, 1, 1), 1.0), torch.ones(8, 1, 1, 1), "cpu")
        power = torch.fft.rfft2(field).abs().square().mean((0, 1))
        low, high = power[0, 4:8].mean().log2(), power[0, 32:64].mean().log2()
        # Three octaves at power 1 / f^2.
        self.assertAlmostEqual((low - high).item(), 6, delta=1)

    def test_crops_stay_in_range(self):
        torch.manual_seed(4)
        crops = train.Pool(16, 64, torch.device("cpu"), math.inf).crops(6, 32)
        self.assertEqual((crops.shape, crops.dtype), ((6, 3, 32, 32), torch.float32))
        self.assertLessEqual(crops.abs().max(), 1)


class Optimiser(unittest.TestCase):
    def test_orthogonalised(self):
        torch.manual_seed(5)
        for shape in ((2, 24, 8), (2, 8, 24)):
            values = torch.linalg.svdvals(train.orthogonalised(torch.randn(shape)))
            self.assertGreater(values.min(), 0.5)
            self.assertLess(values.max(), 1.4)

    def test_average_reaches_the_right_tensors(self):
        model, judged, optimizer = trained_pair()
        optimizer.write_average(judged)
        for (name, expected), actual in zip(model.named_parameters(), judged.parameters()):
            self.assertTrue(torch.equal(expected, actual), name)

    def test_loss_falls_and_masters_move_every_weight(self):
        model, _, optimizer = trained_pair()
        target = torch.rand(4, 3, 16, 16) * 2 - 1
        before = [tensor.clone() for tensor in optimizer.everything()]
        losses = [train.train_step(model, optimizer, target, 3.0).item() for _ in range(40)]
        self.assertLess(losses[-1], 0.8 * losses[0])
        self.assertTrue(all((a != b).any() for a, b in zip(before, optimizer.everything())))

    def test_recovers_from_nan(self):
        model, judged, optimizer = trained_pair()
        target = torch.rand(2, 3, 16, 16) * 2 - 1
        train.train_step(model, optimizer, target, 1.0)
        optimizer.keep()
        good = [tensor.clone() for tensor in optimizer.average]
        train.train_step(model, optimizer, target * math.nan, 1.0)
        self.assertFalse(optimizer.average[0].isfinite().all())
        optimizer.recover(model)
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(good, optimizer.average)))
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(good, optimizer.everything())))
        self.assertTrue(all(parameter.isfinite().all() for parameter in model.parameters()))
        self.assertTrue(math.isfinite(train.train_step(model, optimizer, target, 1.0).item()))
        self.assertEqual(optimizer.scale, 0.5)


class Schedule(unittest.TestCase):
    def test_rate(self):
        self.assertAlmostEqual(train.rate_factor(0), 0.02)
        self.assertAlmostEqual(train.rate_factor(train.WARM_UP), 1)
        self.assertAlmostEqual(train.rate_factor(1.1), 0.01)

    def test_failed_compilation_leaves_eager_blocks(self):
        model, _, _ = trained_pair()
        pool = train.Pool(16, 32, torch.device("cpu"), math.inf)
        events = []
        with mock.patch.object(torch.nn.Module, "compile", side_effect=RuntimeError("no compiler")):
            train.try_compile(model, [(2, 16)], pool, lambda event, **fields: events.append((event, fields)))
        self.assertEqual(events[0][0], "compile_failed")
        self.assertIn("no compiler", events[0][1]["reason"])
        self.assertTrue(model(torch.zeros(1, 3, 16, 16).bfloat16()).isfinite().all())

    def test_demo_variant_fits_in_12_mb(self):
        with torch.device("meta"):
            model = vitok.AutoEncoder(vitok.Variant.parse(train.VARIANT))
        self.assertLess(2 * sum(parameter.numel() for parameter in model.parameters()), 11_980_000)


class WholeRun(unittest.TestCase):
    def test_writes_weights_and_log_that_evaluate_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, DEMO / "train.py", "--steps", "12", "--out", folder, "--variant", SMALL,
                            "--device", "cpu", "--size", "32", "--batch", "4", "--pool", "16", "--held-out", "16",
                            "--no-compile"], check=True, capture_output=True)
            log = [json.loads(line) for line in (pathlib.Path(folder) / "training_log.jsonl").read_text().splitlines()]
            self.assertEqual(log[-1]["event"], "result")
            self.assertEqual(log[-1]["steps"], 12)
            self.assertEqual(vitok.load(folder).variant, vitok.Variant.parse(SMALL))
            self.assertEqual(next(vitok.load(folder).parameters()).dtype, torch.bfloat16)
            held_out = pictures.held_out(16, 32)
            with mock.patch.object(pictures, "held_out", lambda: held_out), \
                    mock.patch.object(sys, "argv", ["evaluate.py", "--model", folder, "--json", f"{folder}/rows.json"]):
                import evaluate
                evaluate.main()
            rows = json.loads((pathlib.Path(folder) / "rows.json").read_text())
            self.assertEqual(len(rows), 16)
            mean = sum(row["bf16_db"] for row in rows) / 16
            self.assertAlmostEqual(mean, log[-1]["psnr_db"]["bf16"]["mean"], delta=0.02)


if __name__ == "__main__":
    unittest.main()
