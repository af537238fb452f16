#!/usr/bin/env python3
"""Packages of AOTInductor through the command line, against PyTorch.

    test_packages.py CLI

Two networks are compiled and packaged once. Nothing of them runs that was not agreed to; then they are tried, swept, gone on with
and reported, and what they gave is what the networks give. A library that tries to leave its folder says from inside what it
could not do.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings
import zipfile

import numpy
import torch
from torch import nn
import torch._inductor

import sweeps

warnings.filterwarnings("ignore")
METADATA = {"AOTI_DEVICE_KEY": "cpu", "AOTI_PLATFORM": "linux", "AOTI_MACHINE": "x86_64", "AOTI_CPU_ISA": "",
            "AOTI_COMPUTE_CAPABILITY": ""}
# What a library does when it is loaded, and what became of it.
LEAVES = r"""
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
__attribute__((constructor)) static void leave()
{
    const std::string home = std::string(getenv("HOME")) + "/was_here";
    const int file = open(home.c_str(), O_WRONLY | O_CREAT, 0600);
    const int wrote = file < 0 ? errno : 0;
    const int net = socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0;
    char name[] = "/bin/true";
    char* arguments[] = {name, nullptr};
    execv(name, arguments);
    std::fprintf(stderr, "Error: wrote %d connected %d started %d\n", wrote, net, errno);
}
"""


class Mixer(nn.Module):
    """One input, one output, any batch."""

    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(8, 24), nn.Linear(24, 5)

    def forward(self, x):
        return self.down(torch.nn.functional.gelu(self.up(x))).softmax(-1)


class Lookup(nn.Module):
    """Two inputs, of which one holds whole numbers, and two outputs with names; one batch only."""

    def __init__(self):
        super().__init__()
        self.table, self.mix = nn.Embedding(2, 6), nn.Linear(6, 6)

    def forward(self, x, ids):
        y = self.mix(x) + self.table(ids).sum(1)
        return {"mixed": y, "total": y.sum(-1)}


def package(module, arguments, file, dynamic=None, **config):
    program = torch.export.export(module.eval(), arguments, dynamic_shapes=dynamic)
    # Compiling headers ahead takes longer than two packages gain by it.
    torch._inductor.aoti_compile_and_package(program, package_path=str(file),
                                             inductor_configs={"aot_inductor.precompile_headers": False, **config})


def hash_of(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def call(cli, *arguments, fails=None):
    """What it said; `fails`: the exit code it has to have."""
    answer = subprocess.run([cli, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300,
                            check=False)
    assert answer.returncode == (fails or 0), (arguments, answer.returncode, answer.stdout, answer.stderr)
    return answer.stdout + answer.stderr


def inspected(cli, file, usable=True):
    text = subprocess.run([cli, "inspect", "--json", str(file)], capture_output=True, text=True, check=False).stdout
    found = json.loads(text)
    assert found["usable"] is usable, text
    return found


def preset(folder, name, file, **more):
    sweep = {"schema_version": 1, "name": name, "rounds": 1, "measurement": sweeps.QUICK,
             "defaults": {"model": str(file), "device": "cpu", "precision": "as-packaged", "compile": "as-packaged"}, **more}
    path = folder / f"{name}.json"
    path.write_text(json.dumps(sweep))
    return path


def check_trial(cli, folder):
    """Until it is agreed to, a package is read and no more; then it says what it gives."""
    file, inputs = folder / "mixer.pt2", ("--input", "x=float32[batch,8]")
    found = inspected(cli, file, usable=False)
    assert found["program"]["kind"] == "package" and "convert" in found["error"], found
    for options in ((), ("--trust", "0" * 64)):
        assert hash_of(file) in call(cli, "convert", file, *inputs, *options, fails=2)
    agreed = ("--trust", hash_of(file))
    call(cli, "convert", file, *agreed, fails=2)  # no input was declared
    assert not (folder / "mixer.package.json").exists()
    call(cli, "convert", file, "--input", "x=float32[batch,9]", *agreed, fails=3)
    call(cli, "convert", file, "--input", "x=int64[batch,8]", *agreed, fails=3)
    call(cli, "convert", file, *inputs, "--input", "y=float32[1]", *agreed, fails=3)
    assert not (folder / "mixer.package.json").exists()
    call(cli, "convert", file, *inputs, *agreed)
    found = inspected(cli, file)
    assert found["axes"] == [{"name": "batch", "lowest": 2, "highest": None}], found["axes"]
    assert [(each["name"], each["shape"]) for each in found["outputs"]] == [("output", [2, 5])], found["outputs"]
    assert found["stages"][0]["program"] == {"sha256": hash_of(file), "device": "cpu", "compute_capability": None}
    assert found["parameters"] is None and found["layers"] is None and found["stages"][0]["flop_per_pass"] is None
    # One batch only: found out, and said why.
    file = folder / "lookup.pt2"
    said = call(cli, "convert", file, "--input", "x=float32[batch,6]", "--input", "ids=int64[batch,3]", "--trust",
                hash_of(file))
    assert "expected: 4, but got: 2" in said, said
    found = inspected(cli, file)
    assert found["axes"] == [{"name": "batch", "lowest": 4, "highest": 4}], found["axes"]
    assert [each["name"] for each in found["outputs"]] == ["mixed", "total"] and found["judged_output"] == "mixed"
    assert not [each for each in folder.iterdir() if each.name.startswith(".quantscope")]


def check_outputs(cli, folder, mixer, lookup):
    """What a sweep stores is what the network gives, at each batch and of each output."""
    torch.manual_seed(3)
    x = torch.randn(16, 8)
    numpy.save(folder / "x.npy", x.numpy())
    sweep = preset(folder, "mixed", folder / "mixer.pt2", axes={"batch": [2, 8, 128]},
                   model_io={"inputs": {"x": f"file:{folder}/x.npy"}})
    trust = ("--trust", hash_of(folder / "mixer.pt2"))
    call(cli, "run", sweep, "--out", folder / "mixed", fails=2)
    assert not (folder / "mixed").exists()
    call(cli, "run", sweep, "--out", folder / "mixed", *trust, fails=1)  # 128 is more than it was exported for
    call(cli, "report", folder / "mixed", "--out", folder / "report")
    cells = json.loads((folder / "report" / "report.json").read_text())["cells"]
    states = {each["config"]["batch"]: each["status"] for each in cells}
    assert states == {2: "ok", 8: "ok", 128: "unsupported"}, states
    for each in cells:
        if each["status"] != "ok":
            continue
        given = sweeps.stored(folder, each["cell"], "mixed")
        assert torch.allclose(given, mixer(x), atol=1e-6), each["config"]
        assert each["difference_from_reference"] is None and each["metrics"]["relative_l2_mean"] is None
    journal = (folder / "mixed" / "journal.jsonl").read_text()
    assert hash_of(folder / "mixer.pt2") in journal and "ran_program" in journal
    assert not list((folder / "mixed").rglob(".program*"))
    # The other network, and its other output.
    ids = torch.randint(0, 2, (16, 3))
    rows = torch.randn(16, 6)
    numpy.save(folder / "rows.npy", rows.numpy())
    numpy.save(folder / "ids.npy", ids.numpy())
    fed = {"inputs": {"x": f"file:{folder}/rows.npy", "ids": f"file:{folder}/ids.npy"}}
    expected = lookup(rows, ids)
    for name in expected:
        run = f"output_{name}"
        sweep = preset(folder, run, folder / "lookup.pt2", axes={"batch": [4]}, model_io={**fed, "output": name})
        call(cli, "run", sweep, "--out", folder / run, "--trust", hash_of(folder / "lookup.pt2"))
        (cell,) = (folder / run / "cells").iterdir()
        given = sweeps.stored(folder, cell.name, run)
        assert torch.allclose(given, expected[name], atol=1e-6), name


def check_validity(cli, folder):
    """Whatever cannot be chosen is impossible before the run, with the reason; other models are no packages."""
    file = folder / "mixer.pt2"
    sweep = preset(folder, "chosen", file, axes={"precision": ["as-packaged", "int8dq", "bf16"], "batch": [1, 2]})
    said = call(cli, "run", sweep, "--dry-run")
    assert said.count("precision int8dq cannot be chosen") == 2 and said.count("precision bf16 cannot be chosen") >= 2, said
    assert "a batch of 2 and more" in said, said
    for axis, value in (("compile", "none"), ("attention", "math"), ("layers", "mlp")):
        sweep = preset(folder, "chosen", file, axes={axis: [value], "batch": [2]})
        assert f"{axis if axis != 'compile' else 'compile mode'} {value} cannot be chosen" in call(
            cli, "run", sweep, "--dry-run", fails=3 if axis != "layers" else None) or axis == "layers"
    assert "none of its weights" in call(cli, "quantize", file, "--precision", "int8wo", "--out", folder / "quantized", fails=3)
    sweep = preset(folder, "other", "resnet:18", axes={"batch": [1]})
    assert "is for compiled packages" in call(cli, "run", sweep, "--dry-run", fails=3)
    # A preset of another model becomes one of the package.
    sweep = preset(folder, "adapted", "demo", axes={"precision": ["bf16", "int8dq"], "compile": ["none"], "batch": [1, 4]})
    said = call(cli, "run", sweep, "--dry-run", "--model", folder / "lookup.pt2")
    assert "1 cells, 0 possible" not in said and "batch 4" in said and "bf16" not in said, said


def check_trust(cli, folder):
    """Trust is of bytes: it is remembered, forgotten, and no other file has it."""
    file = folder / "changed.pt2"
    shutil.copy(folder / "mixer.pt2", file)
    inputs, trusted = ("--input", "x=float32[batch,8]"), hash_of(file)
    call(cli, "convert", file, *inputs, "--trust", trusted, "--remember")
    assert trusted in call(cli, "trust", "list")
    sweep = preset(folder, "trusted", file, axes={"batch": [2, 4]}, rounds=2)
    call(cli, "run", sweep, "--out", folder / "trusted")
    call(cli, "trust", "forget", trusted)
    call(cli, "run", sweep, "--out", folder / "forgotten", fails=2)
    call(cli, "run", "--resume", "--out", folder / "trusted", fails=2)
    call(cli, "run", "--resume", "--out", folder / "trusted", "--trust", trusted)
    # Other bytes under the same name: neither opened nor run.
    file.write_bytes(file.read_bytes() + b" ")
    with zipfile.ZipFile(file, "a") as changed:
        changed.writestr("changed/extra/more", "x")
    assert "another file than the one that was tried" in inspected(cli, file, usable=False)["error"]
    call(cli, "run", sweep, "--out", folder / "other", "--trust", trusted, fails=3)
    # Of a run that still has something to measure.
    journal = folder / "trusted" / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    first = next(place for place, line in enumerate(lines) if '"type":"row"' in line)
    journal.write_text("".join(lines[:first + 1]))
    said = call(cli, "run", "--resume", "--out", folder / "trusted", "--trust", trusted, fails=1)
    assert "another file than the one that was tried" in said, said


def written_package(file, library, **members):
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in {"x.wrapper.so": library, "x.wrapper_metadata.json": json.dumps(METADATA), **members}.items():
            archive.writestr(f"m/data/aotinductor/model/{name}", content)


def check_sandbox(cli, folder):
    """What holds is seen from inside."""
    source, library = folder / "leaves.cpp", folder / "leaves.so"
    source.write_text(LEAVES)
    subprocess.run(["g++", "-shared", "-fPIC", "-o", library, source], check=True)
    file = folder / "leaves.pt2"
    written_package(file, library.read_bytes())
    said = call(cli, "convert", file, "--input", "float32[1]", "--trust", hash_of(file), fails=3)
    assert "wrote " in said, said
    outcome = dict(zip(("wrote", "connected", "started"), map(int, said.split("wrote ")[1].replace("connected", "")
                                                              .replace("started", "").split()[:3])))
    means = call(cli, "convert", file, "--input", "float32[1]", fails=2)
    if "write in one folder only" in means:
        assert outcome["wrote"] != 0 and not (folder / "home" / "was_here").exists(), said
    if "no network" in means or "without network" in means:
        assert outcome["connected"] != 0 and outcome["started"] != 0, said
    print(f"sandbox: {outcome}")


def main():
    cli = sys.argv[1]
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "home").mkdir()
        os.environ.update(HOME=str(folder / "home"), QUANTSCOPE_CACHE=str(folder / "cache"))
        os.environ["TORCHINDUCTOR_VEC_ISA_OK"] = "1"  # seconds of asking the compiler what the processor can
        for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            os.environ.pop(variable, None)
        torch.manual_seed(1)
        mixer, lookup = Mixer().eval(), Lookup().eval()
        package(mixer, (torch.randn(3, 8),), folder / "mixer.pt2", ({0: torch.export.Dim("n", min=2, max=64)},))
        package(lookup, (torch.randn(4, 6), torch.randint(0, 2, (4, 3))), folder / "lookup.pt2")
        package(mixer, (torch.randn(3, 8),), folder / "source.pt2", **{"aot_inductor.package_cpp_only": True})
        assert "source" in inspected(cli, folder / "source.pt2", usable=False)["error"]
        with torch.no_grad():
            check_trial(cli, folder)
            check_outputs(cli, folder, mixer, lookup)
        check_validity(cli, folder)
        check_trust(cli, folder)
        check_sandbox(cli, folder)
    print("packages: ok")


if __name__ == "__main__":
    main()
