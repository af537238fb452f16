#!/usr/bin/env python3
"""Networks that torch.export.save wrote, opened by QuantScope as models and run by its engine, against PyTorch.

    test_exported_networks.py RUNNER

RUNNER is tests/engine/run_exported. Each network runs at two batches (and sizes, where they are free) in float32, in
bfloat16 and, where it has Linears of a fitting width, in int8dq; each twice, so that what a run leaves behind is seen.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from torch.utils import _pytree

import exported_networks as networks
from large_architectures import LARGE

FP32 = 1e-5
INT8 = 0.25  # of the largest output: layers of eight values are coarse
# Relative L2 of what the passes of "fused" may move; in bfloat16, where a bias that is added by another kernel is rounded on
# its own, as far as two ways of rounding may be apart: each lies about as far from float32 as PyTorch does.
PASSES = {"fp32": 1e-5, "bf16": 2 ** -7, "int8dq": 0.05}
networks.NETWORKS.update(LARGE)


def flat(outputs):
    return [each for each in _pytree.tree_leaves(outputs) if isinstance(each, torch.Tensor)]


def run(model, inputs, dtype=None):
    """A fresh copy, so that nothing is left by the run before."""
    model = copy.deepcopy(model)
    if dtype is not None:
        model = model.to(dtype)
        inputs = [each.to(dtype) if each.dtype.is_floating_point else each for each in inputs]
    with torch.no_grad():
        return flat(model(*[each.clone() for each in inputs]))


def store(folder, name, tensor):
    (folder / name).write_bytes(tensor.contiguous().numpy().tobytes())
    return {"file": name, "dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape)}


def read(folder, about):
    dtype = getattr(torch, about["dtype"])
    return torch.frombuffer(bytearray((folder / about["file"]).read_bytes()), dtype=dtype).reshape(about["shape"])


class Network:
    def __init__(self, name, decomposed, folder):
        self.name = name + ("_decomposed" if decomposed else "")
        self.folder = folder / self.name
        self.folder.mkdir()
        _, inputs, _, _, size_name, sizes = networks.NETWORKS[name]
        self.model, self.program = networks.export(name, decomposed)
        torch.export.save(self.program, self.folder / "model.pt2")
        names = [each.arg.name for each in self.program.graph_signature.input_specs if each.kind.name == "USER_INPUT"]
        self.points = []
        for batch, size, precision in [(2, sizes[0], "fp32"), (5, sizes[1], "fp32"), (2, sizes[0], "bf16"),
                                       (4, sizes[0], "int8dq")]:
            given = inputs(batch, size)
            number = len(self.points)
            stored = [{**store(self.folder, f"in_{number}_{i}", each), "name": label}
                      for i, (label, each) in enumerate(zip(names, given))]
            self.points.append({"batch": batch, "sizes": {size_name: size} if size_name else {}, "precision": precision,
                                "inputs": stored, "given": given})
        about = {"points": [{key: value for key, value in each.items() if key != "given"} for each in self.points]}
        (self.folder / "about.json").write_text(json.dumps(about))

    def check(self):
        result = json.loads((self.folder / "result.json").read_text())
        assert "error" not in result, f"{self.name}: {result['error']}"
        for point, ours in zip(self.points, result["points"], strict=True):
            golden = point["golden"] = run(self.model, point["given"])
            outputs = [read(self.folder, each) for each in ours["outputs"]]
            assert [each.shape for each in outputs] == [each.shape for each in golden], self.name
            moved = ours["passes"]
            allowed = PASSES[point["precision"]]
            if point["precision"] == "bf16" and moved > allowed:
                allowed = 2 * max(self.own_error(point, i) for i in range(len(golden)))
            assert moved <= allowed, f"{self.name} {point['precision']}: passes move {moved:.2e}, allowed {allowed:.2e}"
            self.compare(point, golden, outputs, ours["matched"])
        return result

    def compare(self, point, golden, outputs, matched):
        for i, (expected, output) in enumerate(zip(golden, outputs)):
            distance = (output.double() - expected.double()).abs().max().item()
            scale = max(1.0, expected.double().abs().max().item())
            where = f"{self.name} {point['precision']} batch {point['batch']} output {i}: {distance:.2e} of {scale:.2f}"
            if point["precision"] == "fp32":
                assert output.dtype == expected.dtype, where
                assert distance <= FP32 * scale, where
            elif not expected.dtype.is_floating_point:
                continue
            elif point["precision"] == "bf16":
                assert distance <= 1.5 * self.own_distance(point, i) + 2 ** -8 * scale, where
            elif matched:
                assert distance <= INT8 * scale, where
        print(f"{self.name} {point['precision']}: {matched} layers")

    def own(self, point):
        """What PyTorch gives in bfloat16, which many processors emulate: once for all who ask."""
        if "own" not in point:
            point["own"] = run(self.model, point["given"], torch.bfloat16)
        return point["own"]

    def own_error(self, point, output):
        golden = point["golden"][output]
        if not golden.dtype.is_floating_point:
            return 0.0
        golden = golden.double()
        return ((self.own(point)[output].double() - golden).norm() / golden.norm()).item()

    def own_distance(self, point, output):
        """How far PyTorch is from itself in bfloat16; nothing to compare with where it refuses to mix types."""
        golden = point["golden"][output].double()
        try:
            return (self.own(point)[output].double() - golden).abs().max().item()
        except RuntimeError:
            return 0.05 * golden.abs().max().item()


class Unknown(torch.nn.Module):
    def forward(self, x):
        return torch.fft.rfft(torch.special.i0(x)).abs() + torch.special.i1(x).sum()


class Fixed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x)


def odd_ones(folder):
    """A program with unknown operations, and one with a fixed batch that is asked for another."""
    for name, module, batch in (("unknown", Unknown(), 2), ("fixed", Fixed(), 4)):
        (folder / name).mkdir()
        program = torch.export.export(module.eval(), (torch.randn(2, 8),))
        torch.export.save(program, folder / name / "model.pt2")
        stored = [{**store(folder / name, "in", torch.randn(batch, 8)), "name": "x"}]
        point = {"batch": batch, "sizes": {}, "precision": "fp32", "inputs": stored}
        (folder / name / "about.json").write_text(json.dumps({"points": [point]}))


def check_odd_ones(folder):
    unknown = json.loads((folder / "unknown" / "result.json").read_text())["error"]
    for operation in ("special_i0", "special_i1", "fft_rfft"):
        assert operation in unknown, unknown
    fixed = json.loads((folder / "fixed" / "result.json").read_text())["error"]
    assert "fixed batch 2" in fixed and 'dynamic_shapes={"x": {0: torch.export.Dim(' in fixed, fixed


def main(runner):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        all_networks = [Network(each, False, folder) for each in networks.NETWORKS]
        all_networks += [Network(each, True, folder) for each in networks.DECOMPOSED]
        odd_ones(folder)
        subprocess.run([runner, name], check=True)
        problems, layers = [], {}
        for network in all_networks:
            try:
                layers[network.name] = network.check()["layers"]
            except AssertionError as error:
                problems.append(str(error))
        check_odd_ones(folder)
    for name in LARGE:
        model = networks.NETWORKS[name][0]()
        assert sum(each.numel() for each in model.parameters()) >= 5_000_000, name
    assert not problems, "\n".join(problems)
    # Linears that were taken apart are the layers that they were, also those behind a transposed result, which torch makes
    # batched products of a repeated weight of.
    for name in networks.DECOMPOSED:
        assert layers[name] == layers[name + "_decomposed"], (name, layers)


if __name__ == "__main__":
    torch.manual_seed(3)
    main(sys.argv[1])
