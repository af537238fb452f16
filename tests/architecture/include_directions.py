#!/usr/bin/env python3
"""Reads every #include of the tree and fails where a folder includes what it may not, and where units include each
other in a circle: a unit is a header with its source, and one of a circle cannot be understood without the others.

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
# The engine runs Programs and nothing else; kernels know plain pointers, and errors.
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
        return {"base", "kernels"}
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


def sources(root, tops):
    """(path from the root, its lines) of every source file."""
    for top in tops:
        for file in sorted(pathlib.Path(root, top).rglob("*")):
            if file.suffix in (".h", ".cpp", ".cu"):
                yield file.relative_to(root), file.read_text(encoding="utf-8").splitlines()


def circles(graph):
    """The strongly connected components of more than one unit (Tarjan), each as a set."""
    order, lowest, stack, found = {}, {}, [], []

    def visit(unit):
        order[unit] = lowest[unit] = len(order)
        stack.append(unit)
        for other in sorted(graph[unit] & graph.keys()):
            if other not in order:
                visit(other)
            if other in stack:
                lowest[unit] = min(lowest[unit], lowest[other])
        if lowest[unit] == order[unit]:
            at = stack.index(unit)
            if len(stack) - at > 1:
                found.append(set(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10_000)
    for unit in sorted(graph):
        if unit not in order:
            visit(unit)
    return found


def circle_complaints(root):
    graph = {}
    for path, lines in sources(root, ("core", "app", "widgets")):
        unit = path.with_suffix("").as_posix()
        headers = (match.group(2) for match in map(INCLUDE.match, lines) if match)
        graph.setdefault(unit, set()).update(header.rsplit(".", 1)[0] for header in headers)
        graph[unit].discard(unit)
    return [f"include each other: {', '.join(sorted(circle))}" for circle in circles(graph)]


def check(root):
    found = []
    for file, lines in sources(root, ("core", "app", "widgets", "tests")):
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                found += [f"{file.as_posix()}:{number}: {match.group(2)}: {why}"
                          for why in complaints(file.parts, match.group(2))]
    return found


def circle_selftest():
    """A circle of three units over headers and a source, one of two, and no circle."""
    files = {"core/a.h": "core/b.h", "core/b.cpp": "widgets/c.h", "widgets/c.h": "core/a.h", "app/d.h": "core/a.h",
             "core/e.h": "core/f.h", "core/f.cpp": "core/e.h", "core/g.cpp": "core/g.h", "core/g.h": "core/e.h"}
    with tempfile.TemporaryDirectory() as folder:
        for name, header in files.items():
            file = pathlib.Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f'#include "{header}"\n', encoding="utf-8")
        found = circle_complaints(folder)
    expected = ["include each other: core/a, core/b, widgets/c", "include each other: core/e, core/f"]
    return [] if found == expected else [f"circles: {found}"]


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
    return [f"not detected: {name}" for name in missed] + [x for x in found if ":2:" in x] + circle_selftest()


if __name__ == "__main__":
    if sys.argv[1] == "--selftest":
        problems = selftest()
    else:
        problems = check(sys.argv[1]) + circle_complaints(sys.argv[1])
    print("\n".join(problems) or "include directions hold")
    sys.exit(1 if problems else 0)
