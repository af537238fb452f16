"""Checks the ViTok oracle against published counts and against slow, literal formulas."""
import math
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import vitok  # noqa: E402

SMALL = "w32_d1_h2-w48_d3_h3/1x4x8"


def parameters(module):
    return sum(parameter.numel() for parameter in module.parameters())


def small_model(seed=1):
    torch.manual_seed(seed)
    model = vitok.AutoEncoder(vitok.Variant.parse(SMALL))
    for name, parameter in model.named_parameters():
        if name.endswith("gamma"):
            torch.nn.init.uniform_(parameter, 0.3, 0.7)
    return model.eval()


class VariantNames(unittest.TestCase):
    # (name, encoder parameters, decoder parameters) of the published models
    PUBLISHED = [("Ld4-Ld24/1x16x16", 51_209_744, 303_239_936), ("Ld4-Ld24/1x16x64", 51_258_944, 303_289_088),
                 ("Td4-T/1x16x64", 456_159_296, 4_538_562_304), ("Td4-T/1x32x64", 463_237_184, 4_545_642_496),
                 ("Td4-T/32x256", 463_827_200, 4_546_232_320)]

    def test_published_parameter_counts(self):
        for name, encoder, decoder in self.PUBLISHED:
            with self.subTest(name), torch.device("meta"):
                variant = vitok.Variant.parse(name)
                self.assertEqual(parameters(vitok.Encoder(variant)), encoder)
                self.assertEqual(parameters(vitok.Decoder(variant)), decoder)

    def test_tensor_counts(self):
        with torch.device("meta"):
            self.assertEqual(len(vitok.Encoder(vitok.Variant.parse("Ld4/16x64")).state_dict()), 36)
            self.assertEqual(len(vitok.Decoder(vitok.Variant.parse("L/16x64")).state_dict()), 196)
            self.assertEqual(len(vitok.Decoder(vitok.Variant.parse("T/16x64")).state_dict()), 324)

    def test_hidden_sizes(self):
        expected = {"B": 2048, "L": 2736, "G": 4608, "T": 8208, "E": 10944}
        self.assertEqual({key: vitok.Variant.parse(f"{key}/16x8").encoder.hidden for key in expected}, expected)

    def test_forms(self):
        parse = vitok.Variant.parse
        self.assertEqual(parse("w256_d2_h4/1x16x64"), parse("w256d2h4-w256_d2_h4/16x64"))
        self.assertEqual(parse("Lw512d2/16x8").encoder, vitok.Side(512, 2, 16, 1360))
        # The larger factor holds for both sides.
        self.assertEqual(parse("w64_d1_h1_m4-w64_d1_h1/8x8").decoder.hidden, 256)
        self.assertEqual(parse("w64_d1_h1_m2-w64_d1_h1/8x8").encoder.hidden, 176)

    def test_refusals(self):
        for name in ["", "L", "L/16", "L/16x", "L/0x8", "L/1x2x3x4", "Q/16x8", "w64_d1/16x8", "L-L-L/16x8",
                     "Ld4d5/16x8", "Lz3/16x8", "w65_d1_h2/16x8", "w60_d1_h10/16x8", "Ld0/16x8", "L4/16x8"]:
            with self.subTest(name), self.assertRaises(ValueError):
                vitok.Variant.parse(name)


class Pieces(unittest.TestCase):
    def test_patch_order_and_round_trip(self):
        picture = torch.arange(2 * 3 * 8 * 12, dtype=torch.float32).reshape(2, 3, 8, 12)
        tokens = vitok.patchify(picture, 4)
        self.assertEqual(tokens.shape, (2, 6, 48))
        # token 4 = patch row 1, column 1; value c 16 + y 4 + x
        self.assertEqual(tokens[1, 4, 2 * 16 + 3 * 4 + 1], picture[1, 2, 4 + 3, 4 + 1])
        self.assertTrue(torch.equal(vitok.unpatchify(tokens, 8, 12, 4), picture))

    def test_padding_is_grey_and_cropped(self):
        picture = torch.ones(1, 3, 5, 6)
        tokens = vitok.patchify(picture, 4)
        self.assertEqual(tokens.shape, (1, 4, 48))
        self.assertEqual(tokens.sum(), picture.sum())
        self.assertTrue(torch.equal(vitok.unpatchify(tokens, 5, 6, 4), picture))

    def test_rope_of_one_token_by_hand(self):
        x = torch.randn(1, 1, 1, 8)
        cos, sin = vitok.rope_table(torch.tensor([3]), torch.tensor([5]), 8, torch.float32)
        actual = vitok.apply_rope(x, cos, sin).flatten().tolist()
        for pair, angle in enumerate([3 * 1.0, 3 * 0.01, 5 * 1.0, 5 * 0.01]):
            a, b = x.flatten()[2 * pair].item(), x.flatten()[2 * pair + 1].item()
            self.assertAlmostEqual(actual[2 * pair], a * math.cos(angle) - b * math.sin(angle), places=5)
            self.assertAlmostEqual(actual[2 * pair + 1], a * math.sin(angle) + b * math.cos(angle), places=5)

    def test_block_against_loops(self):
        model = small_model()
        block, x = model.encoder.encoder_blocks[0], torch.randn(1, 6, 32)
        rows, columns = vitok.patch_grid(8, 12, 4)
        tables = vitok.rope_table(rows, columns, 16, torch.float32)
        with torch.no_grad():
            h = x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt() * block.norm1.weight
            attention = torch.zeros(1, 6, 32)
            for head in range(2):
                part = slice(16 * head, 16 * head + 16)
                q, k, v = (h @ block.attn.qkv_proj.weight[32 * i:][:32][part].T for i in range(3))
                q, k = (vitok.apply_rope(y / (y.square().mean(-1, keepdim=True) + 1e-6).sqrt(), *tables)
                        for y in (q, k))
                attention[..., part] = (q @ k.transpose(1, 2) / 4.0).softmax(-1) @ v
            hidden = h @ block.ffn.fc1.weight.T
            half = hidden.shape[-1] // 2
            gated = hidden[..., :half] * hidden[..., half:] * hidden[..., half:].sigmoid()
            update = attention @ block.attn.out_proj.weight.T + gated @ block.ffn.fc2.weight.T
            expected = x + block.layer_scale.gamma * update
            torch.testing.assert_close(block(x, *tables, None), expected, rtol=1e-4, atol=1e-5)

    def test_code_is_normalised_in_float32(self):
        model = small_model().bfloat16()
        with torch.no_grad():
            code = model.encode(torch.rand(2, 3, 16, 20).bfloat16() * 2 - 1)
        self.assertEqual((code.dtype, code.shape), (torch.bfloat16, (2, 20, 8)))
        self.assertLess(code.float().mean(-1).abs().max(), 0.01)
        self.assertLess((code.float().var(-1, unbiased=False) - 1).abs().max(), 0.01)

    def test_padded_tokens_do_not_change_valid_ones(self):
        model = small_model()
        tokens, (rows, columns) = torch.randn(1, 6, 48), vitok.patch_grid(8, 12, 4)
        padded = torch.cat([tokens, torch.zeros(1, 2, 48)], 1)
        zeros = torch.zeros(2, dtype=rows.dtype)
        valid = torch.tensor([[True] * 6 + [False] * 2])
        with torch.no_grad():
            code = model.encoder(padded, torch.cat([rows, zeros])[None], torch.cat([columns, zeros])[None], valid)
            self.assertTrue(code.isfinite().all())
            torch.testing.assert_close(code[:, :6], model.encoder(tokens, rows, columns), rtol=1e-4, atol=1e-5)

    def test_a_window_is_a_band_over_the_order_of_tokens(self):
        """The same from attention written out token by token, which knows neighbours and no mask."""
        model, reach = small_model(), 2
        tokens, (rows, columns) = torch.randn(1, 6, 48), vitok.patch_grid(8, 12, 4)

        def neighbours_alone(q, k, v, attn_mask):
            parts = []
            for i in range(q.shape[-2]):
                near = slice(max(0, i - reach), i + reach + 1)
                scores = (q[..., i:i + 1, :] @ k[..., near, :].transpose(-1, -2)) / q.shape[-1]**0.5
                parts.append(scores.softmax(-1) @ v[..., near, :])
            return torch.cat(parts, -2)

        with torch.no_grad():
            code = model.encoder(tokens, rows, columns, window=reach)
            with mock.patch.object(vitok.F, "scaled_dot_product_attention", neighbours_alone):
                expected = model.encoder(tokens, rows, columns)
            torch.testing.assert_close(code, expected, rtol=1e-4, atol=1e-5)
            self.assertGreater((code - model.encoder(tokens, rows, columns)).abs().max(), 0.01)


class Checkpoints(unittest.TestCase):
    def test_round_trip_infers_the_variant(self):
        model, picture = small_model(), torch.rand(1, 3, 12, 16) * 2 - 1
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            vitok.save(model, folder, torch.float32, {"variant": SMALL})
            again = vitok.load(folder)
            self.assertEqual(again.variant, vitok.Variant.parse(SMALL))
            self.assertTrue(torch.equal(again(picture), model(picture)))
            self.assertEqual(sorted(path.name for path in pathlib.Path(folder).iterdir()),
                             ["decoder.safetensors", "encoder.safetensors"])

    def test_old_one_file_names(self):
        from safetensors.torch import save_file
        model, picture = small_model(), torch.rand(1, 3, 12, 16) * 2 - 1
        old = {f"_orig_mod.{key}".replace("_blocks.", "."): value for part in (model.encoder, model.decoder)
               for key, value in part.state_dict().items()}
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            save_file(old, pathlib.Path(folder) / "model.safetensors")
            self.assertTrue(torch.equal(vitok.load(folder)(picture), model(picture)))


if __name__ == "__main__":
    unittest.main()
