"""Checkpoints of quantized models, read by a reader that shares no code with the writer, and by torchao and
compressed-tensors where the format is theirs; programs are loaded by torch.export and run.

Usage: test_quantized_checkpoints.py QUANTSCOPE_CLI RUN_EXPORTED
"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import torch

import foreign_readers

CLI = ""
RUN_EXPORTED = ""
MODEL = "vitok:w64_d1_h2-w64_d2_h2/1x8x16"
LAYER = "decoder.decoder_blocks.1.ffn.fc1"
TYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "U8": torch.uint8,
         "I8": torch.int8, "I32": torch.int32, "I64": torch.int64, "F8_E4M3": torch.float8_e4m3fn}


def read(path):
    """Tensors and metadata of a safetensors file, by the description of the format alone."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    assert (8 + length) % 8 == 0, "tensors begin at a multiple of 8"
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__", {})
    tensors, end = {}, 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, stop = entry["data_offsets"]
        assert begin == end, f"{name}: a hole"
        end = stop
        raw = bytearray(data[8 + length + begin:8 + length + stop])
        flat = torch.frombuffer(raw, dtype=torch.uint8) if raw else torch.empty(0, dtype=torch.uint8)
        tensors[name] = flat.view(TYPES[entry["dtype"]]).reshape(entry["shape"])
    assert 8 + length + end == len(data)
    return tensors, metadata


class Checkpoints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.places = {}
        cls.exact = cls.written("bf16", "quantscope")[0]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def quantize(cls, precision, form, *more):
        place = Path(cls.folder.name) / str(len(os.listdir(cls.folder.name)))
        environment = dict(os.environ, QUANTSCOPE_CACHE=str(Path(cls.folder.name) / "cache"))
        ran = subprocess.run([CLI, "quantize", MODEL, "--precision", precision, "--format", form,
                              "--out", str(place), *more], capture_output=True, text=True,
                             env=environment, check=False)
        return place, ran

    @classmethod
    def written(cls, *arguments):
        """Once for all tests, which leave it as it is."""
        if arguments not in cls.places:
            cls.places[arguments], ran = cls.quantize(*arguments)
            assert ran.returncode == 0, ran.stderr
        place = cls.places[arguments]
        return (*read(place / "model.safetensors"), place)

    def weight_error(self, restored):
        exact = self.exact[LAYER + ".weight"].float()
        return ((restored.float() - exact).norm() / exact.norm()).item()

    def test_own_layout(self):
        tensors, metadata, _ = self.written("int8wo", "quantscope")
        self.assertEqual(metadata["format"], "quantscope-quantized")
        schemes = json.loads(metadata["schemes"])
        self.assertEqual(len(schemes), 12)
        self.assertEqual(schemes[LAYER + ".weight"], "int8wo")
        codes, scale = tensors[LAYER + ".weight:codes"], tensors[LAYER + ".weight:scale"]
        exact = self.exact[LAYER + ".weight"].float()
        # absmax / 127.5, the division in bfloat16: nothing is further away than half a step, and
        # the largest by the half step that is missing above.
        self.assertEqual((codes.dtype, scale.dtype), (torch.int8, torch.float32))
        self.assertLessEqual(((codes.float() * scale - exact).abs() / scale).max().item(), 1.01)
        self.assertLess(self.weight_error(codes.float() * scale), 0.01)
        for name, tensor in self.exact.items():
            if name not in schemes:
                self.assertTrue(torch.equal(tensor, tensors[name]), name)

    def test_pack_quantized(self):
        for precision, bits in (("gptq-int4-32:samples=2", 4), ("gptq-int4-32:order=group:samples=2", 4),
                                ("int8wo", 8)):
            with self.subTest(precision):
                only = ("--layers", "attention")
                layer = "decoder.decoder_blocks.1.attn.qkv_proj"
                packed, _, place = self.written(precision, "compressed-tensors", *only)
                own, _, _ = self.written(precision, "quantscope", *only)
                config = json.loads((place / "config.json").read_text())["quantization_config"]
                (group,) = config["config_groups"].values()
                self.assertEqual(config["format"], "pack-quantized")
                self.assertEqual(group["weights"]["num_bits"], bits)
                self.assertIn(layer, group["targets"])
                self.assertIn("decoder.to_pixels", config["ignore"])
                out, columns = packed[layer + ".weight_shape"].tolist()
                words = packed[layer + ".weight_packed"]
                self.assertEqual(words.dtype, torch.int32)
                values = torch.stack([(words.long() >> (bits * i)) & ((1 << bits) - 1)
                                      for i in range(32 // bits)], -1)
                values = values.reshape(out, -1)[:, :columns] - (1 << (bits - 1))
                scale = packed[layer + ".weight_scale"].float()
                if bits == 8:
                    self.assertTrue(torch.equal(values.to(torch.int8), own[layer + ".weight:codes"]))
                    self.assertEqual(scale.shape, (out, 1))
                    restored = values * scale
                else:
                    ordered = layer + ".weight_g_idx" in packed
                    self.assertEqual(ordered, "order=group" in precision)
                    self.assertEqual(group["weights"]["actorder"], "group" if ordered else "weight")
                    index = (packed[layer + ".weight_g_idx"].long() if ordered
                             else torch.arange(columns) // 32)
                    restored = values * scale[:, index]
                self.read_by_compressed_tensors(packed, config, layer, restored.to(torch.bfloat16))
                exact = self.exact[layer + ".weight"].float()
                error = ((restored - exact).norm() / exact.norm()).item()
                self.assertLess(error, 0.02 if bits == 8 else 0.3)

    def test_a_folder_of_hugging_face_stays_one(self):
        with tempfile.TemporaryDirectory() as name:
            source, place = Path(name) / "source", Path(name) / "quantized"
            shutil.copytree(Path(__file__).parents[1] / "golden/llama/grouped", source)
            (source / "tokenizer.json").write_text("{}")
            subprocess.run([CLI, "quantize", str(source), "--precision", "int8wo", "--format", "compressed-tensors",
                            "--out", str(place)], capture_output=True, check=True)
            config = json.loads((place / "config.json").read_text())
            self.assertEqual(config.pop("quantization_config")["quant_method"], "compressed-tensors")
            self.assertEqual(config, json.loads((source / "config.json").read_text()))
            self.assertEqual(sorted(os.listdir(place)), ["config.json", "model.safetensors", "tokenizer.json"])
            subprocess.run([CLI, "inspect", str(place), "--precision", "int8wo"], capture_output=True, check=True)

    def test_sizes_are_those_of_the_file(self):
        place, ran = self.quantize("gptq-int4-32:samples=2", "compressed-tensors")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        parts = {}
        for name, tensor in read(place / "model.safetensors")[0].items():
            part = re.split("[.:]", name)[-1]
            count, size = parts.get(part, (0, 0))
            parts[part] = (count + 1, size + tensor.nbytes)
        self.assertLessEqual({"weight_packed", "weight_scale", "weight_shape", "weight"}, set(parts))
        said = {name: (int(count), int(size)) for name, count, size in
                re.findall(r"^  (\S+) +(\d+) tensors +(\d+) bytes", ran.stdout, re.MULTILINE)}
        self.assertEqual(said, parts)
        (total,) = re.findall(r"^tensors +(\d+) bytes", ran.stdout, re.MULTILINE)
        self.assertEqual(int(total), sum(size for _, size in parts.values()))

    def test_tails_are_refused_by_layer(self):
        place, ran = self.quantize("gptq-int4-128:tail=1:samples=2", "compressed-tensors")
        self.assertEqual(ran.returncode, 3, ran.stderr)
        self.assertIn("encoder_blocks.0.attn.qkv_proj", ran.stderr)
        self.assertFalse(place.exists())
        self.assertEqual(self.quantize("int4wo-32", "torchao")[1].returncode, 3)

    def test_torchao_names(self):
        classes = {"int8dq": "Int8Tensor", "int8wo": "Int8Tensor", "float8wo": "Float8Tensor",
                   "float8dq-row": "Float8Tensor", "float8dq-tensor": "Float8Tensor",
                   "int8sq:samples=2": "Int8Tensor"}
        for precision, kind in classes.items():
            with self.subTest(precision):
                tensors, metadata, _ = self.written(precision, "torchao")
                names = json.loads(metadata["tensor_names"])
                self.assertIn(LAYER + ".weight", names)
                self.assertIn(LAYER + ".bias", names) if LAYER + ".bias" in self.exact else None
                about = json.loads(metadata[LAYER + ".weight"])
                self.assertEqual(about["_type"], kind)
                smooth = precision.startswith("int8sq")
                self.assertEqual(sorted(about["_tensor_data_names"]),
                                 ["act_pre_scale"] * smooth + ["qdata", "scale"])
                restored = (tensors[LAYER + "._weight_qdata"].float() *
                            tensors[LAYER + "._weight_scale"])
                factors = tensors[LAYER + "._weight_act_pre_scale"].float() if smooth else 1
                self.assertLess(self.weight_error(restored * factors), 0.04)
                for name in names:
                    plain = json.loads(metadata[name])["_type"] == "Tensor"
                    self.assertEqual(plain, name in tensors, name)
                weight = self.read_by_torchao(tensors, metadata, restored)
                if smooth:
                    self.multiplies_smoothly(weight, tensors)

    def read_by_torchao(self, tensors, metadata, restored):
        weight = foreign_readers.torchao_state(tensors, metadata)[LAYER + ".weight"]
        self.assertEqual(type(weight).__name__, json.loads(metadata[LAYER + ".weight"])["_type"])
        self.assertTrue(torch.equal(weight.dequantize().float(), restored.bfloat16().float()))
        return weight

    def multiplies_smoothly(self, weight, tensors):
        """By torchao's own linear layer: what it makes of inputs, against the weight that was quantized."""
        factors = tensors[LAYER + "._weight_act_pre_scale"]
        self.assertEqual((factors.dtype, list(factors.shape)), (torch.bfloat16, [weight.shape[1]]))
        self.assertTrue(torch.equal(weight.act_pre_scale, factors))
        torch.manual_seed(5)
        x = torch.randn(7, weight.shape[1]).bfloat16()
        exact = x.double() @ self.exact[LAYER + ".weight"].double().t()
        error = torch.nn.functional.linear(x, weight).double() - exact
        self.assertLess((error.norm() / exact.norm()).item(), 0.05)

    def read_by_compressed_tensors(self, packed, config, layer, restored):
        weights, arguments = foreign_readers.decompressed(packed, config)
        names = {name.removesuffix(".weight_packed") for name in packed if name.endswith("_packed")}
        self.assertEqual(weights.keys(), names)
        self.assertEqual(arguments[layer].num_bits, config["config_groups"]["group_0"]["weights"]["num_bits"])
        self.assertTrue(torch.equal(weights[layer].float(), restored.float()))

    def test_exported_programs(self):
        with tempfile.TemporaryDirectory() as name:
            golden = {}
            for precision in ("int8wo", "int8dq", "int4wo-32", "gptq-int4-32:samples=2",
                              "gptq-int4-32:order=group:samples=2", "float8wo"):
                with self.subTest(precision):
                    golden.update(self.exported(precision, Path(name)))
            self.assertEqual(len(golden), 12)
            subprocess.run([RUN_EXPORTED, name], check=True)
            for folder, expected in golden.items():
                with self.subTest(folder.name):
                    self.compare_outputs(folder, expected)

    def exported(self, precision, name):
        """What PyTorch makes of both programs, by the folder where they wait for the engine."""
        only = ("--layers", "attention")
        place, ran = self.quantize(precision, "pt2", *only)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(sorted(os.listdir(place)), ["decoder.pt2", "encoder.pt2"])
        own, _, _ = self.written(precision, "quantscope", *only)
        held, golden = 0, {}
        for stage in ("encoder", "decoder"):
            program = torch.export.load(place / f"{stage}.pt2")
            held += self.compare_tensors(program, own, stage)
            folder = name / f"{precision} {stage}"
            golden[folder] = self.run_by_pytorch(program, place / f"{stage}.pt2", folder)
        said = re.findall(r"^tensors +(\d+) bytes.*read back", ran.stdout, re.MULTILINE)
        self.assertEqual(len(said), 2, ran.stdout)
        self.assertGreaterEqual(sum(map(int, said)), held)
        return golden

    def compare_tensors(self, program, own, stage):
        """Their bytes."""
        parts = [name for name in program.state_dict if ":" in name]
        self.assertTrue(parts)
        for name, tensor in program.state_dict.items():
            self.assertTrue(torch.equal(tensor.view(torch.uint8) if tensor.dim() else tensor,
                                        own[f"{stage}.{name}"].view(torch.uint8) if tensor.dim()
                                        else own[f"{stage}.{name}"]), name)
        return sum(tensor.nbytes for tensor in program.state_dict.values())

    @staticmethod
    def run_by_pytorch(program, archive, folder):
        """What PyTorch makes of the program; the folder is for the engine of QuantScope, with the same inputs."""
        folder.mkdir()
        (folder / "model.pt2").write_bytes(archive.read_bytes())
        torch.manual_seed(3)
        inputs, stored = [], []
        for spec in program.graph_signature.input_specs:
            if spec.kind.name != "USER_INPUT":
                continue
            (value,) = [node.meta["val"] for node in program.graph.nodes if node.name == spec.arg.name]
            inputs.append(torch.randn(value.shape).to(value.dtype))
            (folder / spec.arg.name).write_bytes(inputs[-1].view(torch.uint8).numpy().tobytes())
            stored.append({"file": spec.arg.name, "name": spec.arg.name, "shape": list(value.shape),
                           "dtype": str(value.dtype).removeprefix("torch.")})
        point = {"batch": 1, "sizes": {}, "precision": "bf16", "inputs": stored}
        (folder / "about.json").write_text(json.dumps({"points": [point]}))
        with torch.inference_mode():
            golden = program.module()(*inputs)
        return [golden] if isinstance(golden, torch.Tensor) else list(golden)

    def compare_outputs(self, folder, golden):
        result = json.loads((folder / "result.json").read_text())
        self.assertNotIn("error", result)
        for about, expected in zip(result["points"][0]["outputs"], golden, strict=True):
            raw = bytearray((folder / about["file"]).read_bytes())
            ours = torch.frombuffer(raw, dtype=getattr(torch, about["dtype"])).reshape(about["shape"])
            self.assertEqual(ours.dtype, expected.dtype)
            self.assertTrue(torch.equal(ours, expected), about["file"])

    def test_what_was_written_is_a_model_again(self):
        """Its outputs are those of the model that was quantized, bit by bit."""
        _, _, place = self.written("int8wo", "quantscope")
        preset = {"schema_version": 1, "name": "again", "rounds": 1, "noise_floor": False,
                  "defaults": {"model": MODEL, "device": "cpu", "precision": "int8wo",
                               "image_size": 32},
                  "axes": {"model": [MODEL, str(place)]},
                  "measurement": {"minimum_warmup_seconds": 0, "maximum_warmup_seconds": 0.05,
                                  "minimum_sample_seconds": 0.01, "maximum_sample_seconds": 0.1,
                                  "minimum_samples": 3},
                  "pictures": {"source": "procedural", "count": 2}}
        folder = Path(self.folder.name)
        (folder / "again.json").write_text(json.dumps(preset))
        ran = subprocess.run([CLI, "run", str(folder / "again.json"), "--out", str(folder / "run")],
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        report = subprocess.run([CLI, "report", str(folder / "run"), "--json", "--out",
                                 str(folder / "report")], capture_output=True, text=True, check=False)
        self.assertEqual(report.returncode, 0, report.stderr)
        text = (folder / "run" / "journal.jsonl").read_text(errors="replace")
        hashes = {}
        for line in text.splitlines():
            at = line.find('{"')
            if at < 0 or '"outputs"' not in line:
                continue
            row = json.loads(line[at:line.rindex("}") + 1])
            row = row.get("row", row)
            config = row["config"]
            if config["precision"] == "int8wo" or config["precision"] == ["int8wo"]:
                hashes[config["model"]] = row["result"]["outputs"]["sha256"]
        self.assertEqual(len(hashes), 2, text[:2000])
        first, second = hashes.values()
        self.assertEqual(first, second)
        self.assertEqual(len(first), 2)
        other = subprocess.run([CLI, "run", str(folder / "again.json"), "--dry-run", "--model",
                                str(place), "--set", "precision=int8dq"],
                               capture_output=True, text=True, check=False)
        self.assertIn("as int8wo", other.stdout + other.stderr)

    def test_storage(self):
        exact = sum(t.nbytes for n, t in self.exact.items())
        tensors, _, place = self.written("int8wo", "quantscope")
        held = sum(t.nbytes for t in tensors.values())
        self.assertLess(held, exact)
        self.assertLess((place / "model.safetensors").stat().st_size - held, 32768, "the header")

    def test_nothing_is_overwritten(self):
        _, _, place = self.written("int8wo", "quantscope")
        before = (place / "model.safetensors").read_bytes()
        ran = subprocess.run([CLI, "quantize", MODEL, "--precision", "int8dq", "--out", str(place)],
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 2, ran.stderr)
        self.assertEqual((place / "model.safetensors").read_bytes(), before)


if __name__ == "__main__":
    CLI = sys.argv.pop(1)
    RUN_EXPORTED = sys.argv.pop(1)
    unittest.main(verbosity=2)  # with the reasons of what is skipped
