#!/usr/bin/env python3
"""Reads every #include of the tree and fails where a folder includes what it may not.

The build guards the borders of Qt, Torch and OpenCV by its link graph; JSON and QCustomPlot lie in /usr/include
and all folders share the source root as include path, so those borders are guarded here.
"""
import pathlib
import re
import sys
import tempfile

# Each folder of core may include those before it, and itself.
CORE_ORDER = ["base", "stats", "image", "device", "graph", "model", "quant", "lower", "sweep", "measure",
              "record", "analysis", "report", "protocol", "run"]
# The engine runs Programs and nothing else; kernels know plain pointers only.
ENGINE_MAY = {"base", "stats", "graph", "model", "quant", "device", "lower", "sweep", "measure", "engine", "kernels"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/")
CUDA = re.compile(r"^(cuda|cublas|cutlass|nvml|nvrtc|cuda_runtime)")
FUTURES = re.compile(r"^(QFuture|QPromise|QtConcurrent)")
QT = re.compile(r"^(Q[A-Z]\w*|Qt\w+/.*)$")


def allowed_core(folder):
    if folder == "engine":
        return ENGINE_MAY
    if folder == "kernels":
        return {"kernels"}
    return set(CORE_ORDER[: CORE_ORDER.index(folder) + 1])


def complaints(path, header):
    """Why `path` (parts from the source root) may not include `header`; nothing if it may."""
    top, folder = path[0], path[1] if len(path) > 2 else ""
    in_engine = path[:2] == ("core", "engine")
    if TORCH.match(header) and not in_engine and not path[:2] == ("tests", "gpu") \
            and path[:2] not in (("tests", "engine"), ("tests", "benchmark")):
        yield "Torch belongs to core/engine"
    if CUDA.match(header) and not in_engine and path[:2] not in (("core", "kernels"), ("tests", "gpu")):
        yield "CUDA belongs to core/engine and core/kernels"
    if QT.match(header) and top == "core":
        yield "core knows no Qt"
    if QT.match(header) and path[:2] in (("app", "cli"), ("app", "worker")):
        yield "only the window links Qt"
    if header.startswith("opencv2/") and path[:2] != ("core", "image"):
        yield "OpenCV belongs to core/image"
    if "qcustomplot" in header and header != "widgets/plot/qcustomplot.h" \
            and path != ("widgets", "plot", "qcustomplot.h"):
        yield "QCustomPlot comes through widgets/plot/qcustomplot.h"
    if FUTURES.match(header):
        yield "a continuation may meet the end of its object: use widgets/background/in_background.h"
    parts = header.split("/")
    if parts[0] == "core" and len(parts) > 2:
        if top == "core" and parts[1] not in allowed_core(folder):
            yield f"core/{folder} stands above core/{parts[1]}"
        if parts[1] in ("engine", "kernels") and top == "widgets":
            yield "the window never touches the engine"
        if parts[1] == "engine" and path[:2] in (("app", "gui"), ("app", "cli")):
            yield "only the worker links the engine"
    if parts[0] == "widgets" and top == "core":
        yield "core knows no widgets"
    if parts[0] == "app" and top in ("core", "widgets"):
        yield "programs include the libraries, not the other way round"
    if parts[0] == "tests" and top != "tests":
        yield "the product knows no tests"


def check(root):
    found = []
    for top in ("core", "app", "widgets", "tests"):
        for file in sorted(pathlib.Path(root, top).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".cu"):
                continue
            path = file.relative_to(root).parts
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if match:
                    found += [f"{'/'.join(path)}:{number}: {match.group(2)}: {why}"
                              for why in complaints(path, match.group(2))]
    return found


def selftest():
    """The rules must bite: a tree with one offence of each kind."""
    offences = {
        "core/graph/a.cpp": "core/model/model.h", "core/stats/a.h": "ATen/core/Tensor.h",
        "core/model/a.h": "QString", "app/cli/a.cpp": "core/engine/executor.h",
        "widgets/plot/a.cpp": "qcustomplot.h", "core/run/a.cpp": "opencv2/core.hpp",
        "core/engine/a.cpp": "core/run/scheduler.h", "widgets/a.cpp": "core/engine/executor.h",
        "core/image/a.cpp": "widgets/a.h", "core/record/a.cpp": "cuda_runtime_api.h",
        "widgets/table/a.cpp": "QtConcurrentRun",
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, header in offences.items():
            file = pathlib.Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f'#include "{header}"\n#include <vector>\n', encoding="utf-8")
        found = check(folder)
    missed = [name for name in offences if not any(line.startswith(name + ":1:") for line in found)]
    return [f"not detected: {name}" for name in missed] + [x for x in found if ":2:" in x]


if __name__ == "__main__":
    problems = selftest() if sys.argv[1] == "--selftest" else check(sys.argv[1])
    print("\n".join(problems) or "include directions hold")
    sys.exit(1 if problems else 0)
