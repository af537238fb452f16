#!/usr/bin/env python3
"""Archives that QuantScope wrote, loaded by torch.export.load and run, against the outputs of its own engine.

    test_written_archives.py WRITER

WRITER is tests/engine/write_archives. Products of integers are exact in any order; those of floating numbers are
not, so that outputs may differ in their last digits.
"""
import json
import logging
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import torch

# Archives of shapes alone say of each weight that it is empty.
logging.getLogger("torch.export.pt2_archive._package").setLevel(logging.ERROR)

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 2 ** -6}


def tensor(folder, about):
    dtype = getattr(torch, about["dtype"])
    data = bytearray((folder / about["file"]).read_bytes())
    return torch.frombuffer(data, dtype=dtype).reshape(about["shape"])


def stage_outputs(program, inputs):
    with torch.inference_mode():
        outputs = program.module()(*inputs)
    return [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)


def check_zip(file):
    """Every entry is stored, its checksum is right and it begins where it can be mapped."""
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None, file
        for entry in archive.infolist():
            assert entry.compress_type == zipfile.ZIP_STORED
            archive.fp.seek(entry.header_offset + 26)
            lengths = archive.fp.read(4)
            begin = entry.header_offset + 30 + int.from_bytes(lengths[:2], "little") \
                + int.from_bytes(lengths[2:], "little")
            assert begin % 64 == 0, entry.filename


def check_stage(folder):
    about = json.loads((folder / "about.json").read_text())
    check_zip(folder / "archive.pt2")
    program = torch.export.load(folder / "archive.pt2")
    assert len(program.state_dict) == about["weights"]
    inputs = [tensor(folder, each) for each in about["inputs"]]
    outputs = stage_outputs(program, inputs)
    assert len(outputs) == len(about["outputs"])
    for output, expected in zip(outputs, about["outputs"]):
        golden = tensor(folder, expected)
        assert output.dtype == golden.dtype and output.shape == golden.shape, expected
        assert golden.double().std() > 0, f"{folder.name}: nothing to compare"
        if not golden.dtype.is_floating_point:
            assert torch.equal(output, golden), expected
            continue
        distance = (output.double() - golden.double()).abs().max().item()
        scale = max(1.0, golden.double().abs().max().item())
        assert distance <= TOLERANCE[golden.dtype] * scale, f"{folder.name} {expected['name']}: {distance}"
        print(f"{folder.name}: {expected['name']} {tuple(output.shape)} differs by {distance:.1e}")
    # Another input gives another output: it is the program that ran.
    if inputs[0].dtype.is_floating_point:
        assert not torch.equal(stage_outputs(program, [inputs[0].flip(0) * 0.5, *inputs[1:]])[0], outputs[0])


def check_shapes(folder):
    """Without weights the archive is small, loads, and says the same shapes, types and module paths."""
    small = folder / "shapes.pt2"
    full, shapes = torch.export.load(folder / "archive.pt2"), torch.export.load(small)
    assert small.stat().st_size < (folder / "archive.pt2").stat().st_size
    assert full.state_dict.keys() == shapes.state_dict.keys()
    for name, weight in shapes.state_dict.items():
        assert weight.shape == full.state_dict[name].shape and weight.dtype == full.state_dict[name].dtype, name
    assert str(full.graph) == str(shapes.graph)
    paths = {path for node in shapes.graph.nodes for path, _ in node.meta.get("nn_module_stack", {}).values()}
    assert len(paths) > 2, paths


def main(writer):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([writer, folder], check=True)
        stages = sorted(pathlib.Path(folder).iterdir())
        assert len(stages) == 7, stages
        for stage in stages:
            check_stage(stage)
            check_shapes(stage)


if __name__ == "__main__":
    torch.manual_seed(1)
    main(sys.argv[1])
