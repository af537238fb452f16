#!/usr/bin/env python3
"""Compiles exported programs with Inductor into packages without constants.

    compile_package.py PARALLEL (ARCHIVE.pt2 PACKAGE.pt2 MODE cpu|cuda REPORT.json FOLDER highest|high)…

highest or high: how float32 products are computed (torch.set_float32_matmul_precision). An archive says shapes and
types of the weights alone; whoever loads the package gives it tensors of its own. What Inductor keeps for later compiles
lies in the folder, as does its log, and what it tuned beside this script: a compile is cold if they are empty. PyTorch is
imported once, with all that it would import later; each program is then compiled in a process of its own, so many at a
time. The report has the seconds of each step; a program that could not be compiled has none.
"""

import collections
import concurrent.futures
import contextlib
import functools
import json
import logging
import os
import pathlib
import sys
import tempfile
import threading
import time
import traceback

from compile_ahead import (MANY_PROCESSORS, PROCESSORS, Runtime, end_with_parent, import_ahead, keep_bytecode,
                           trust_the_processor)
from compiled_products import products

STARTED = time.monotonic()

# Of what the programs of one call have in common.
TOGETHER = pathlib.Path(__file__).resolve().parent

# What torch.compile's modes of these names set (torch._inductor.list_mode_options), but for CUDA graphs: a package has
# none, its user records one.
MODES = {"default": {}, "max-autotune": {"max_autotune": True, "coordinate_descent_tuning": True}}


Job = collections.namedtuple("Job", "archive package mode device report folder precision")


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

    @contextlib.contextmanager
    def of(self, name):
        self.enter(name)
        try:
            yield
        finally:
            self.leave()

    def count(self):
        now = time.monotonic()
        self.seconds[self.within[-1]] = self.seconds.get(self.within[-1], 0.0) + now - self.last
        self.last = now

    def steps(self):
        self.count()
        return [{"name": name, "seconds": seconds} for name, seconds in self.seconds.items()]


def example_inputs(torch, program):
    """Tensors of the shapes that the program was written for: of a free size, the example."""
    user = set(program.graph_signature.user_inputs)
    values = [node.meta["val"] for node in program.graph.nodes if node.op == "placeholder" and node.name in user]
    return tuple(torch.zeros([size if isinstance(size, int) else size.node.hint for size in value.shape],
                             dtype=value.dtype, device=value.device) for value in values)


def use(folder, mode):
    """Nothing of another call is found, and all that is said and kept stays in the folder. Programs that are tuned come
    one after the other: as in a model that is compiled whole, a product or a kernel that an earlier one of them tried is
    not tried again. The first block of a transformer and its others are two programs, and tune alike."""
    kept = folder if mode == "default" else TOGETHER / "tuned"
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(kept / "inductor")
    os.environ["TRITON_CACHE_DIR"] = str(kept / "triton")
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)


def compile_kernels_in_forks():
    """Inductor starts a Python that imports PyTorch anew, and compiles kernels one by one until that is there. Forks of
    this process have it; they use no GPU, and end with this process, which may be killed."""
    from torch._inductor import async_compile, config
    initialize = async_compile._async_compile_initializer
    async_compile._async_compile_initializer = functools.partial(begin_fork, initialize)
    config.worker_start_method = "fork"
    config.compile_threads = max(2, min(8, PROCESSORS // 2))
    async_compile.AsyncCompile.use_process_pool()


def begin_fork(initialize, parent):
    end_with_parent()
    initialize(parent)


def build_objects_together(parts, runtime):
    """Inductor compiles the two C++ files of a program one after the other."""
    from torch._inductor.cpp_builder import CppBuilder
    build = CppBuilder.build
    pool = concurrent.futures.ThreadPoolExecutor(2)
    begun = []

    def build_or_begin(builder):
        if builder.get_target_file_path().endswith((".wrapper.o", ".kernel.o")):
            begun.append(pool.submit(build, builder))
            return
        with parts.of("compile_file"):
            for each in begun:
                each.result()
        begun.clear()
        if runtime and builder.get_target_file_path().endswith(".so"):
            runtime.join(builder, parts)
        build(builder)

    CppBuilder.build = build_or_begin


def compile_job(torch, job, runtime, clock):
    trust_the_processor(job.device)
    torch.set_float32_matmul_precision(job.precision)
    torch.backends.cudnn.allow_tf32 = job.precision == "high"
    if job.device != "cpu":
        compile_kernels_in_forks()
    logging.getLogger("torch.export.pt2_archive").setLevel(logging.ERROR)  # of weights that are not there
    program = torch.export.load(job.archive)
    program._example_inputs = (example_inputs(torch, program), {})
    clock.step("read")
    # What the archive has for weights and states is zeros, which Inductor would take for their values: it writes tensors
    # of up to eight elements into the code (a bias of a small head), and computes what it can of equal elements (the
    # angle of a decoder's position).
    options = {**MODES[job.mode], "aot_inductor.package_constants_in_so": False, "always_keep_tensor_constants": True,
               "joint_graph_constant_folding": False, "aot_inductor.precompile_headers": runtime is not None}
    parts = Parts()
    parts.listen()
    build_objects_together(parts, runtime)
    if runtime:
        runtime.serve(parts)
    with torch.no_grad():
        torch._inductor.aoti_compile_and_package(program, package_path=job.package, inductor_configs=options)
    report = json.dumps({"steps": clock.steps + parts.steps(), "products": products(job.package)})
    pathlib.Path(job.report).write_text(report)


def start(torch, job, runtime, steps):
    """A process that compiles one program. PyTorch must not have touched a GPU yet."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        end_with_parent()
        use(pathlib.Path(job.folder), job.mode)
        compile_job(torch, job, runtime, Clock(steps))
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
    keep_bytecode()
    # PyTorch asks the driver which GPUs there are, and a process forked after that could not use them.
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    import torch
    import torch._inductor
    runtime = None
    devices = {job.device for job in jobs}
    folder = TOGETHER / "runtime"
    if len(devices) == 1 and (len(jobs) > 1 or PROCESSORS >= MANY_PROCESSORS or folder.exists()):
        folder.mkdir(exist_ok=True)
        runtime = Runtime(folder, devices.pop())
    import_ahead()
    clock.step("import")
    return compile_all(torch, jobs, parallel, runtime, clock.steps)


def compile_all(torch, jobs, parallel, runtime, steps):
    running = set()
    failed = 0
    while jobs or running:
        if jobs and len(running) < parallel:
            running.add(start(torch, jobs.pop(0), runtime, steps))
            continue
        child, status = os.wait()
        if child in running:
            running.remove(child)
            failed += status != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
