#!/usr/bin/env python3
"""Compiles exported programs with Inductor into packages without constants.

    compile_package.py PARALLEL (ARCHIVE.pt2 PACKAGE.pt2 MODE cpu|cuda REPORT.json FOLDER)…

An archive says shapes and types of the weights alone; whoever loads the package gives it tensors of its own. What
Inductor keeps for later compiles lies in the folder, as does its log: a compile is cold if the folder is empty. PyTorch
is imported once; each program is then compiled in a process of its own, so many at a time. The report has the seconds
of each step; a program that could not be compiled has none.
"""

import collections
import json
import logging
import os
import pathlib
import re
import sys
import tempfile
import threading
import time
import traceback
import zipfile

STARTED = time.monotonic()

# What torch.compile's modes of these names set (torch._inductor.list_mode_options), but for CUDA graphs: a package has
# none, its user records one.
MODES = {"default": {}, "max-autotune": {"max_autotune": True, "coordinate_descent_tuning": True}}


Job = collections.namedtuple("Job", "archive package mode device report folder")


class Clock:
    """Seconds of steps, one after the other."""

    def __init__(self, steps=()):
        self.steps = list(steps)
        self.last = time.monotonic() if steps else STARTED

    def step(self, name):
        now = time.monotonic()
        self.steps.append({"name": name, "seconds": now - self.last})
        self.last = now


class Parts:
    """What of a compile's seconds went where, each second counted once: Inductor tells its log when it begins and ends
    something. "graph": passes, fusion, writing the program; "kernels": compiling them; "tuning": trying them;
    "wrapper": the C++ compiler."""

    KINDS = (("compile_file", "wrapper"), ("autotun", "tuning"), ("benchmark", "tuning"), ("tuning", "tuning"),
             ("async_compile", "kernels"), ("precompil", "kernels"))

    def __init__(self):
        self.seconds = {}
        self.within = ["graph"]
        self.last = time.monotonic()
        self.thread = threading.get_ident()

    def listen(self):
        from torch._dynamo.utils import ChromiumEventLogger as Log
        begin, end = Log.log_event_start, Log.log_event_end

        def begins(log, name, *rest, **more):
            self.enter(name)
            return begin(log, name, *rest, **more)

        def ends(log, name, *rest, **more):
            self.leave()
            return end(log, name, *rest, **more)

        Log.log_event_start, Log.log_event_end = begins, ends

    def enter(self, name):
        if threading.get_ident() == self.thread:
            self.count()
            self.within.append(next((kind for part, kind in self.KINDS if part in name), self.within[-1]))

    def leave(self):
        if threading.get_ident() == self.thread and len(self.within) > 1:
            self.count()
            self.within.pop()

    def count(self):
        now = time.monotonic()
        self.seconds[self.within[-1]] = self.seconds.get(self.within[-1], 0.0) + now - self.last
        self.last = now

    def steps(self):
        self.count()
        return [{"name": name, "seconds": seconds} for name, seconds in self.seconds.items()]


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


def use(folder):
    """Nothing of another compile is found, and all that is said and kept stays in the folder."""
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder / "inductor")
    os.environ["TRITON_CACHE_DIR"] = str(folder / "triton")
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)


def compile_job(torch, job, clock):
    trust_the_processor(job.device)
    logging.getLogger("torch.export.pt2_archive").setLevel(logging.ERROR)  # of weights that are not there
    program = torch.export.load(job.archive)
    program._example_inputs = (example_inputs(torch, program), {})
    clock.step("read")
    # Compiling the headers of PyTorch ahead takes longer than it saves: two files of a program include them.
    options = {**MODES[job.mode], "aot_inductor.package_constants_in_so": False,
               "aot_inductor.precompile_headers": False}
    parts = Parts()
    parts.listen()
    with torch.no_grad():
        torch._inductor.aoti_compile_and_package(program, package_path=job.package, inductor_configs=options)
    report = json.dumps({"steps": clock.steps + parts.steps(), "products": products(job.package)})
    pathlib.Path(job.report).write_text(report)


def start(torch, job, steps):
    """A process that compiles one program. PyTorch must not have touched a GPU yet."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        end_with_parent()
        use(pathlib.Path(job.folder))
        compile_job(torch, job, Clock(steps))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main():
    parallel = int(sys.argv[1])
    fields = len(Job._fields)
    jobs = [Job(*sys.argv[i:i + fields]) for i in range(2, len(sys.argv), fields)]
    end_with_parent()
    clock = Clock()
    import torch
    import torch._inductor
    clock.step("import")
    running = failed = 0
    while jobs or running:
        if jobs and running < parallel:
            start(torch, jobs.pop(0), clock.steps)
            running += 1
        else:
            failed += os.wait()[1] != 0
            running -= 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
