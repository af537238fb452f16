"""What programs that are compiled together have alike is compiled once, and in each of them where that fails."""
import importlib.util
import os
import pathlib
import stat
import sys
import tempfile
import unittest
from unittest import mock

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "core/engine/compile/compile_package.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE.parent))  # of the modules that it imports

# Compiles nothing; fails where $FAILS is the kind of its file.
COMPILER = r"""#!/bin/sh
for each in "$@"; do
    case $each in
        --version) echo "g++ 12.2.0" && exit ;;
        "$FAILS") exit 1 ;;
    esac
    [ "$before" != -o ] || : >"$each"
    before=$each
done
echo "$*" >>"$(dirname "$0")/calls"
"""


class Linker:
    _sources_args = "a.wrapper.o"


class CompiledTogether(unittest.TestCase):
    def setUp(self):
        spec = importlib.util.spec_from_file_location("compile_package", SOURCE)
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        compiler = self.folder / "g++"
        compiler.write_text(COMPILER)
        compiler.chmod(compiler.stat().st_mode | stat.S_IXUSR)

    def runtime(self, fails=""):
        """Its programs, as they are compiled."""
        from torch._inductor import codecache, cpp_builder
        compiled = []
        for patch in (mock.patch.dict(os.environ, {"PATH": f"{self.folder}:{os.environ['PATH']}", "FAILS": fails}),
                      mock.patch.object(codecache.AotCodeCompiler, "compile", lambda graph, code, *_, **__: compiled.append(code)),
                      mock.patch.object(codecache, "_precompile_header"),
                      mock.patch.object(cpp_builder, "get_cpp_compiler", lambda: str(self.folder / "g++"))):
            patch.start()
            self.addCleanup(patch.stop)
        runtime = self.module.Runtime(self.folder, "cpu")
        runtime.serve(self.module.Parts())
        if runtime.process:
            runtime.process.wait()
        codecache.AotCodeCompiler.compile(None, f"one\n{runtime.interface}\nother", "")
        return runtime, compiled, codecache._precompile_header("torch/csrc/inductor/aoti_include/cpu.h", "")

    def test_programs_are_compiled_without_it(self):
        runtime, compiled, header = self.runtime()
        self.assertEqual(compiled, ["one\n\nother"])
        self.assertEqual(header, str(runtime.header))
        headers, interface = (self.folder / "calls").read_text().splitlines()
        self.assertIn("c++-header", headers)
        self.assertIn(f"-include {runtime.header}", interface)
        flags = [each for each in headers.split() if each.startswith(("-O", "-m", "-f"))]
        self.assertTrue(flags and set(flags) <= set(interface.split()), "or the compiler ignores the headers")
        runtime.join(linker := Linker(), self.module.Parts())
        self.assertEqual(linker._sources_args, f"a.wrapper.o {runtime.object}")

    def test_a_second_compile_finds_it(self):
        self.runtime()
        runtime, compiled, header = self.runtime()
        self.assertEqual(compiled, ["one\n\nother"])
        self.assertEqual(header, str(runtime.header))
        self.assertEqual(len((self.folder / "calls").read_text().splitlines()), 2)

    def test_what_failed_is_compiled_in_each(self):
        runtime, compiled, header = self.runtime(fails="c++-header")
        self.assertEqual(compiled, [f"one\n{runtime.interface}\nother"])
        self.assertFalse(header)
        runtime.join(linker := Linker(), self.module.Parts())
        self.assertEqual(linker._sources_args, "a.wrapper.o")

    def test_an_interface_that_is_missing_is_no_package(self):
        runtime, _, _ = self.runtime(fails="-c")
        with self.assertRaises(RuntimeError):
            runtime.join(Linker(), self.module.Parts())

    def tuned(self, mode):
        """How often two programs of a mode time the same products, which both multiply."""
        import torch
        from torch._inductor import codecache

        class Choice:
            def hash_key(self):
                return "a kernel"

        def tune(_torch, job, *_):
            def times(choices):
                with open(self.folder / "timed", "a") as file:
                    file.write(job.report)
                return {each: 1.0 for each in choices}
            codecache.PersistentCache().lookup([Choice()], "mm", "64x64", times)

        jobs = [self.module.Job("", "", mode, "cpu", name, str(self.folder / name / "kept"), "highest") for name in "ab"]
        for job in jobs:
            os.makedirs(job.folder)
        with mock.patch.object(self.module, "compile_job", tune), mock.patch.object(self.module, "TOGETHER", self.folder):
            self.assertEqual(self.module.compile_all(torch, jobs, 1, None, ()), 0)
        return (self.folder / "timed").read_text()

    def test_products_are_tuned_once_for_all_programs(self):
        self.assertEqual(self.tuned("max-autotune"), "a")

    def test_programs_side_by_side_find_nothing_of_each_other(self):
        self.assertEqual(self.tuned("default"), "ab")


if __name__ == "__main__":
    unittest.main()
