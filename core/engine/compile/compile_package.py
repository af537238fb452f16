#!/usr/bin/env python3
"""Compiles an exported program with Inductor into a package without constants.

    compile_package.py ARCHIVE.pt2 PACKAGE.pt2 --mode MODE --device cpu|cuda --report REPORT.json

The archive says shapes and types of the weights alone; whoever loads the package gives it tensors of its own. What
Inductor keeps for later compiles lies in TORCHINDUCTOR_CACHE_DIR and TRITON_CACHE_DIR: a compile is cold if these are
empty. The report has the seconds of each step.
"""

import argparse
import collections
import json
import logging
import pathlib
import re
import sys
import time
import zipfile

STARTED = time.monotonic()

# What torch.compile's modes of these names set (torch._inductor.list_mode_options), but for CUDA graphs: a package has
# none, its user records one.
MODES = {"default": {}, "max-autotune": {"max_autotune": True, "coordinate_descent_tuning": True}}


class Clock:
    """Seconds of steps, one after the other."""

    def __init__(self):
        self.steps = []
        self.last = STARTED

    def step(self, name):
        now = time.monotonic()
        self.steps.append({"name": name, "seconds": now - self.last})
        self.last = now


def end_with_parent():
    """Nobody waits for a compile whose asker has gone."""
    import ctypes
    import signal
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def example_inputs(torch, program):
    """Tensors of the shapes that the program was written for."""
    user = set(program.graph_signature.user_inputs)
    values = [node.meta["val"] for node in program.graph.nodes if node.op == "placeholder" and node.name in user]
    return tuple(torch.zeros(value.shape, dtype=value.dtype, device=value.device) for value in values)


def trust_the_processor(device):
    """Inductor tries each instruction set that the processor names: it compiles a program and runs it in a process that
    imports torch, 3 to 5 s each. What the processor names is there; a program for a GPU uses none of it."""
    from torch._inductor import cpu_vec_isa
    if device != "cpu":
        cpu_vec_isa.valid_vec_isa_list = lambda: []
    kinds = [cpu_vec_isa.VecISA]
    while kinds:
        kind = kinds.pop()
        kind.check_build = lambda self, code: True
        kinds += kind.__subclasses__()


# What PyTorch calls, or what is in the name of a kernel that Inductor made of a template -> what a program has. A linear
# layer is mm or addmm with its weight turned.
PRODUCTS = {"_int_mm": "aten::_int_mm", "_scaled_mm": "aten::_scaled_mm", "baddbmm": "aten::matmul", "bmm": "aten::matmul",
            "addmm": "aten::linear", "mm": "aten::linear", "convolution": "aten::conv2d",
            "_scaled_dot_product": "aten::scaled_dot_product_attention"}
CALL = re.compile(r"\b(?:aoti_torch_(?:cpu|cuda)_|call_triton_tem_fused_)(\w+)\((.*)")
BUFFER = re.compile(r"\b(buf\d+)(?!_handle|\d)")
MADE = re.compile(r"cached_torch_dtype_(\w+), .*&(buf\d+)_handle")
REUSED = re.compile(r"auto (buf\d+) = .*?\b(buf\d+)\b")
RESULT = re.compile(r"&(buf\d+)_handle")


def products(package):
    """What the compiled program multiplies with in one pass, from the text of its calls: it has no branches.

    A list of {operation, type, count}. The type is that of the result; of attention that of the query."""
    with zipfile.ZipFile(package) as archive:
        text = "".join(archive.read(name).decode() for name in archive.namelist() if name.endswith(".wrapper.cpp"))
    types, counts = {}, collections.Counter()
    for line in text.splitlines():
        if found := MADE.search(line):
            types[found[2]] = found[1]
        elif found := REUSED.search(line):
            types[found[1]] = types.get(found[2])
        if not (found := CALL.search(line)) or line.lstrip().startswith(("void", "static", "AOTI_TORCH_EXPORT")):
            continue
        buffers = BUFFER.findall(found[2])
        kind = next((PRODUCTS[part] for part in PRODUCTS if part in found[1]), None)
        if not buffers:
            continue
        of = types.get(buffers[-1] if "call_triton" in line else buffers[0])
        for result in RESULT.findall(line):
            types.setdefault(result, of)
        if kind:
            counts[kind, of] += 1
    return [{"operation": kind, "type": each, "count": count} for (kind, each), count in counts.items() if each]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("--mode", choices=MODES, required=True)
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument("--report", type=pathlib.Path, required=True)
    given = parser.parse_args()
    end_with_parent()
    clock = Clock()
    import torch
    import torch._inductor
    clock.step("import")
    trust_the_processor(given.device)
    logging.getLogger("torch.export.pt2_archive").setLevel(logging.ERROR)  # of weights that are not there
    program = torch.export.load(given.archive)
    program._example_inputs = (example_inputs(torch, program), {})
    clock.step("read")
    options = {**MODES[given.mode], "aot_inductor.package_constants_in_so": False}
    with torch.no_grad():
        torch._inductor.aoti_compile_and_package(program, package_path=str(given.package), inductor_configs=options)
    clock.step("compile")
    given.report.write_text(json.dumps({"steps": clock.steps, "products": products(given.package)}))


if __name__ == "__main__":
    sys.exit(main())
