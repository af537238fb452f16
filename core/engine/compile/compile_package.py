#!/usr/bin/env python3
"""Compiles exported programs with Inductor into packages without constants.

    compile_package.py PARALLEL (ARCHIVE.pt2 PACKAGE.pt2 MODE cpu|cuda REPORT.json FOLDER highest|high)…

highest or high: how float32 products are computed (torch.set_float32_matmul_precision). An archive says shapes and
types of the weights alone; whoever loads the package gives it tensors of its own. What Inductor keeps for later compiles
lies in the folder, as does its log: a compile is cold if the folder is empty. PyTorch is imported once, with all that it
would import later; each program is then compiled in a process of its own, so many at a time. The report has the seconds
of each step; a program that could not be compiled has none.
"""

import collections
import compileall
import concurrent.futures
import contextlib
import functools
import importlib
import importlib.util
import json
import logging
import os
import pathlib
import re
import shlex
import subprocess
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


def end_with_parent():
    """Nobody waits for a compile whose asker has gone."""
    import ctypes
    import signal
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


# What an import of PyTorch and a compile read.
READ = ("torch", "sympy", "triton", "networkx", "mpmath")
PROCESSORS = len(os.sched_getaffinity(0))
MANY_PROCESSORS = 8  # some would idle while this process imports modules


def keep_bytecode():
    """Where modules were installed without their bytecode (uv leaves it out), every import compiles them anew, for three
    times as long as the import takes: here on all processors, kept where Python keeps it."""
    site = pathlib.Path(importlib.util.find_spec("torch").origin).parent.parent
    one = site / "torch" / "_inductor" / "compile_fx.py"
    kept = os.path.exists(importlib.util.cache_from_source(one))
    if kept or not os.access(one.parent, os.W_OK) or PROCESSORS < MANY_PROCESSORS:
        return
    files = [file for package in READ for file in (site / package).rglob("*.py")]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        list(pool.map(functools.partial(compileall.compile_file, quiet=2), files, chunksize=16))


# What PyTorch imports when it first compiles something: once here, instead of in each process.
LATER = ("torch._export.serde.serialize", "torch.export.pt2_archive._package", "torch.export._unlift",
         "torch._dynamo.repro.aoti", "torch._inductor.compile_fx", "torch._inductor.package",
         "torch._inductor.async_compile", "torch._inductor.bounds", "torch._inductor.choices",
         "torch._inductor.extern_node_serializer", "torch._inductor.codegen.cpp",
         "torch._inductor.codegen.cpp_wrapper_cpu_array_ref", "torch._inductor.codegen.cpp_wrapper_gpu",
         "torch._inductor.codegen.cpp_wrapper_mps", "torch._inductor.codegen.cuda_combined_scheduling",
         "torch._inductor.codegen.halide", "torch._inductor.codegen.mps", "torch._inductor.codegen.pallas",
         "torch._inductor.codegen.python_wrapper_mtia", "torch._inductor.codegen.wrapper_fxir",
         "torch._inductor.fx_passes.efficient_conv_bn_eval", "torch._inductor.fx_passes.fuse_attention",
         "torch._inductor.fx_passes.joint_graph", "torch._inductor.fx_passes.mkldnn_fusion",
         "torch._inductor.fx_passes.pad_mm", "torch._inductor.fx_passes.post_grad",
         "torch._inductor.fx_passes.quantization", "torch._inductor.runtime.caching",
         "torch._inductor.runtime.triton_heuristics", "torch.fx.experimental.validator",
         "torch.utils.cpp_extension", "torchgen.aoti.fallback_ops", "triton.compiler.compiler",
         "triton.backends.nvidia.compiler", "sympy.physics.units", "sympy.tensor.tensor")


def import_ahead():
    for name in LATER:
        # A module that another version does not have is none that it needs.
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def example_inputs(torch, program):
    """Tensors of the shapes that the program was written for: of a free size, the example."""
    user = set(program.graph_signature.user_inputs)
    values = [node.meta["val"] for node in program.graph.nodes if node.op == "placeholder" and node.name in user]
    return tuple(torch.zeros([size if isinstance(size, int) else size.node.hint for size in value.shape],
                             dtype=value.dtype, device=value.device) for value in values)


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
CONSTANT = re.compile(r"auto& (\w+) = constants_->at\((\d+)\)")
CONSTANT_NAME = re.compile(r'constants_info_\[(\d+)\]\.original_fqn = "(.*)"')
INPUT = re.compile(r"auto (\w+) = std::move\(inputs\[(\d+)\]\)")
WORD = re.compile(r"\b[A-Za-z_]\w*")


def operand_names(text):
    """What variables of the program hold: names of weights, and inputs as "#" and their place."""
    names = dict(CONSTANT_NAME.findall(text))
    held = {variable: names[place] for variable, place in CONSTANT.findall(text) if place in names}
    return held | {variable: "#" + place for variable, place in INPUT.findall(text)}


def products(package):
    """What the compiled program multiplies with in one pass, from the text of its calls: it has no branches.

    A list of {operation, type, count}. The type is that of the result; of attention that of the query; of integers that
    of their sums, also where the same kernel goes on with them and leaves another type. `operands`: weights and inputs
    that the calls read as they are."""
    with zipfile.ZipFile(package) as archive:
        text = "".join(archive.read(name).decode() for name in archive.namelist() if name.endswith(".wrapper.cpp"))
    types, counts, operands, names = {}, collections.Counter(), collections.defaultdict(list), operand_names(text)
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
            product = kind, "int32" if kind == "aten::_int_mm" else of
            counts[product] += 1
            operands[product] += [names[word] for word in WORD.findall(found[2]) if word in names]
    return [{"operation": kind, "type": each, "count": count, "operands": operands[kind, each]}
            for (kind, each), count in counts.items() if each]


def use(folder):
    """Nothing of another compile is found, and all that is said and kept stays in the folder."""
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder / "inductor")
    os.environ["TRITON_CACHE_DIR"] = str(folder / "triton")
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)


class Runtime:
    """What the C++ of all programs has alike, compiled once while Inductor is still at its graphs: the headers that each
    includes, the interface by which packages are called, and an expression that reads the name of a device. As Inductor
    writes it, each program compiles all of it, in three quarters of its time."""

    INCLUDED = ("aoti_include/{}.h", "aoti_runtime/interface.h", "aoti_runtime/model_container.h")
    EXPRESSION = "class std::__detail::_Compiler<std::regex_traits<char>>;"

    def __init__(self, folder, device):
        from torch._inductor import __file__ as inductor
        trust_the_processor(device)
        self.interface = (pathlib.Path(inductor).parent / "codegen/aoti_runtime/interface.cpp").read_text().strip()
        self.header, self.object = folder / "headers.h", folder / "runtime.o"
        included = "".join(f"#include <torch/csrc/inductor/{each.format(device)}>\n" for each in self.INCLUDED)
        self.header.write_text(included + self.expression("extern template"))
        source = folder / "runtime.cpp"
        source.write_text(self.interface + self.expression("template"))
        self.precompiled, self.compiled, self.failed = (folder / each for each in ("precompiled", "compiled", "failed"))
        headers = self.command(device, self.header, self.header, precompiling=True)
        runtime = self.command(device, folder / "runtime", source, compile_only=True)
        one, other, none = (f"touch {shlex.quote(str(each))}" for each in (self.precompiled, self.compiled, self.failed))
        command = f"{headers} && {one} && {runtime} && {other} || {none}"
        self.process = subprocess.Popen(command, shell=True, stdin=subprocess.DEVNULL, preexec_fn=end_with_parent)
        self.is_used = False

    def expression(self, keyword):
        """Of GNU's library; another's is compiled with each program."""
        return f"\n#include <regex>\n#ifdef __GLIBCXX__\n{keyword} {self.EXPRESSION}\n#endif\n"

    def command(self, device, target, source, **kind):
        """As Inductor compiles the C++ of a program, or a compiler ignores the precompiled headers."""
        from torch._inductor.cpp_builder import CppBuilder, CppTorchDeviceOptions
        from torch._inductor.cpu_vec_isa import pick_vec_isa
        options = CppTorchDeviceOptions(device_type=device, aot_mode=True, min_optimize=True, vec_isa=pick_vec_isa(),
                                        **kind)
        options.precompiled_header = None if kind.get("precompiling") else shlex.quote(str(self.header))
        return CppBuilder(str(target), shlex.quote(str(source)), options).get_command_line()

    def has(self, made, parts):
        given_up = time.monotonic() + 300  # where the machine is busy with other things
        with parts.of("compile_file"):
            while not (made.exists() or self.failed.exists()) and time.monotonic() < given_up:
                time.sleep(0.01)
        return made.exists()

    def serve(self, parts):
        """Programs are compiled without what is compiled already; as Inductor does it where that failed."""
        from torch._inductor import codecache
        compile_program = codecache.AotCodeCompiler.compile

        def compile_rest(graph, wrapper_code, *rest, **more):
            self.is_used = self.interface in wrapper_code and self.has(self.precompiled, parts)
            return compile_program(graph, wrapper_code.replace(self.interface, "") if self.is_used else wrapper_code,
                                   *rest, **more)

        def header(name, *_, **__):
            return str(self.header) if self.is_used and "aoti_include" in name else ""

        codecache.AotCodeCompiler.compile = compile_rest
        codecache._precompile_header = header

    def join(self, linker, parts):
        if self.is_used and not self.has(self.compiled, parts):
            raise RuntimeError("the interface of packages could not be compiled")
        if self.is_used:
            linker._sources_args += " " + shlex.quote(str(self.object))


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
        use(pathlib.Path(job.folder))
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
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        devices = {job.device for job in jobs}
        if len(devices) == 1 and (len(jobs) > 1 or PROCESSORS >= MANY_PROCESSORS):
            runtime = Runtime(pathlib.Path(folder), devices.pop())
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
