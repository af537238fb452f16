"""What is done once for all programs that are compiled together: importing, and the C++ that they have alike."""

import compileall
import concurrent.futures
import contextlib
import functools
import importlib
import importlib.util
import os
import pathlib
import shlex
import subprocess
import time


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


class Runtime:
    """What the C++ of all programs has alike, compiled once while Inductor is still at its graphs: the headers that each
    includes, the interface by which packages are called, and an expression that reads the name of a device. As Inductor
    writes it, each program compiles all of it, in three quarters of its time. A warm compile finds in the folder what the
    cold one has made."""

    INCLUDED = ("aoti_include/{}.h", "aoti_runtime/interface.h", "aoti_runtime/model_container.h")
    EXPRESSION = "class std::__detail::_Compiler<std::regex_traits<char>>;"

    def __init__(self, folder, device):
        from torch._inductor import __file__ as inductor
        trust_the_processor(device)
        self.interface = (pathlib.Path(inductor).parent / "codegen/aoti_runtime/interface.cpp").read_text().strip()
        self.header, self.object = folder / "headers.h", folder / "runtime.o"
        self.precompiled, self.compiled, self.failed = (folder / each for each in ("precompiled", "compiled", "failed"))
        self.is_used = False
        self.process = None
        if not self.compiled.exists():
            self.begin(folder, device)

    def begin(self, folder, device):
        for left in (self.precompiled, self.failed):
            left.unlink(missing_ok=True)
        included = "".join(f"#include <torch/csrc/inductor/{each.format(device)}>\n" for each in self.INCLUDED)
        self.header.write_text(included + self.expression("extern template"))
        source = folder / "runtime.cpp"
        source.write_text(self.interface + self.expression("template"))
        headers = self.command(device, self.header, self.header, precompiling=True)
        runtime = self.command(device, folder / "runtime", source, compile_only=True)
        one, other, none = (f"touch {shlex.quote(str(each))}" for each in (self.precompiled, self.compiled, self.failed))
        command = f"{headers} && {one} && {runtime} && {other} || {none}"
        self.process = subprocess.Popen(command, shell=True, stdin=subprocess.DEVNULL, preexec_fn=end_with_parent)

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
