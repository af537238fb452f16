#!/usr/bin/env python3
"""Measures a model in Python: eager, with torch.compile, and quantized by torchao. Runs by itself.

    measure_peer.py REQUEST.json RESULTS.json

The request is what "quantscope-cli peer RUN --prepare FOLDER" writes: archives of the stages in bf16, one set for each
batch, their inputs, and what is to be measured. Its paths are relative to its own folder. The results are a file of
reference results, see core/record/reference_results.h; it is written at the end, whole.

All candidates (precision × mode × batch) are prepared first, each in caches of its own, and then take turns: every round
has all of them once, in an order of its own. A sample is some passes in a row, between two events of the device or two
readings of the clock, divided by their number; passes that follow each other hide what Python does between them.
"""

import collections
import contextlib
import datetime
import gc
import importlib
import json
import operator
import os
import pathlib
import platform
import random
import sys
import tempfile
import time
import warnings

SCHEMA_VERSION = 1
PROGRAM = "torch.compile"
EAGER = "eager"
# Names that torch.compile has. Modes that record graphs want to be told where a pass begins.
MODES = (EAGER, "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")
RECORDING = ("reduce-overhead", "max-autotune")
BASE = "bf16"
LONGEST_SAMPLE_PASSES = 50
LONGEST_REASON = 500
FIRST_PASSES = 3  # after the first call: graphs are recorded in the second and the third
DTYPES = {"float32": "float32", "int64": "int64"}


class Unavailable(Exception):
    """What a candidate needs and is not there."""


def torchao_config(precision):
    """How torchao writes the scheme that has this name here."""
    try:
        ao = importlib.import_module("torchao.quantization")
    except ImportError as error:
        raise Unavailable(f"torchao cannot be imported: {error}") from error
    if precision == "int8dq":
        return ao.Int8DynamicActivationInt8WeightConfig()
    if precision == "int8wo":
        return ao.Int8WeightOnlyConfig()
    if precision == "float8wo":
        return ao.Float8WeightOnlyConfig()
    if precision == "float8dq-row":
        return ao.Float8DynamicActivationFloat8WeightConfig(granularity=ao.PerRow())
    if precision == "float8dq-tensor":
        return ao.Float8DynamicActivationFloat8WeightConfig(granularity=ao.PerTensor())
    if precision.startswith("int4wo-"):
        return ao.Int4WeightOnlyConfig(group_size=int(precision.removeprefix("int4wo-")),
                                       int4_packing_format="tile_packed_to_4d")
    raise Unavailable(f"torchao has nothing that is called {precision}")


def version_of(name):
    with contextlib.suppress(Exception):
        return str(importlib.import_module(name).__version__)
    return ""


def first_line(path, key=""):
    with contextlib.suppress(OSError):
        for line in pathlib.Path(path).read_text(errors="replace").splitlines():
            if line.startswith(key):
                return line.split(":", 1)[-1].strip() if key else line.strip()
    return ""


def environment(torch, device):
    facts = {"host": platform.node(), "python": platform.python_version(), "torch": torch.__version__,
             "torchao": version_of("torchao"), "triton": version_of("triton"), "processor": first_line("/proc/cpuinfo", "model name"),
             "threads": str(torch.get_num_threads())}
    if facts["torchao"]:
        facts["inductor_of_quantized_rows"] = "as torchao recommends"
    if device.type == "cuda":
        facts["device"] = torch.cuda.get_device_name(device)
        facts["cuda"] = torch.version.cuda or ""
        facts["driver"] = first_line("/proc/driver/nvidia/version")
    else:
        facts["device"] = facts["processor"]
    return {name: value for name, value in facts.items() if value}


# --- The network ---------------------------------------------------------------------------------


def stage_module(torch, archive, device):
    """The program of an archive, with its weights, as a module that takes and gives flat tuples. Archives are written
    for the CPU, so that they can be made where there is no other device."""
    program = torch.export.load(archive)
    if device.type != "cpu":
        program = importlib.import_module("torch.export.passes").move_to_device_pass(program, str(device))
    module = program.module(check_guards=False)
    module.graph.set_codegen(torch.fx.graph.CodeGen())
    module.recompile()
    return module.requires_grad_(False)


def attribute(module, path):
    for name in path.split("."):
        module = getattr(module, name)
    return module


def with_linears(torch, stage, wanted):
    """A copy with a torch.nn.Linear, of the same weight, in place of each operation that has one of these weights.

    torchao replaces the weights of such modules. Returns the module and the names of the linears."""
    graph = torch.fx.Graph()
    graph.output(graph.graph_copy(stage.graph, {}))
    copied = torch.fx.GraphModule(stage, graph)
    found, names = set(), []
    for node in list(copied.graph.nodes):
        if node.op != "call_function" or node.target is not torch.ops.aten.linear.default:
            continue
        values = {**dict(zip(("input", "weight", "bias"), node.args)), **node.kwargs}
        weight, bias = values["weight"], values.get("bias")
        if weight.op != "get_attr" or weight.target not in wanted or (bias is not None and bias.op != "get_attr"):
            continue
        layer = torch.nn.Linear(1, 1, bias=bias is not None, device="meta")
        layer.weight = attribute(stage, weight.target)
        if bias is not None:
            layer.bias = attribute(stage, bias.target)
        layer.out_features, layer.in_features = layer.weight.shape
        found.add(weight.target)
        names.append(f"quantized_linear_{len(names)}")
        copied.add_submodule(names[-1], layer)
        with copied.graph.inserting_before(node):
            node.replace_all_uses_with(copied.graph.call_module(names[-1], (values["input"],)))
        copied.graph.erase_node(node)
    if missing := sorted(set(wanted) - found):
        raise Unavailable(f"{missing[0]} and {len(missing) - 1} more weights are read by no linear operation")
    copied.graph.eliminate_dead_code()
    copied.delete_all_unused_submodules()
    copied.recompile()
    return copied, names


def joined(torch, stages, modules, inputs, judged):
    """One module of all stages. A new one has code of its own, so that Dynamo keeps what it compiles apart."""
    root = torch.nn.Module()
    graph = torch.fx.Graph()
    values = {name: graph.placeholder(name) for name in inputs}
    for number, (stage, module) in enumerate(zip(stages, modules)):
        root.add_module(f"stage_{number}", module)
        given = graph.call_module(f"stage_{number}", tuple(values[name] for name in stage["inputs"]))
        for place, name in enumerate(stage["outputs"]):
            values[name] = graph.call_function(operator.getitem, (given, place)) if gives_tuple(module) else given
    graph.output(values[judged])
    return torch.fx.GraphModule(root, graph)


def gives_tuple(module):
    output = next(node for node in module.graph.nodes if node.op == "output")
    return isinstance(output.args[0], (tuple, list))


def read_inputs(torch, folder, batch, device):
    """Tensors of the batch, whose samples repeat where there are fewer; the type is that of the stage that reads them."""
    read = {}
    for each in batch["inputs"]:
        data = bytearray((folder / each["file"]).read_bytes())
        tensor = torch.frombuffer(data, dtype=getattr(torch, DTYPES[each["dtype"]])).reshape(each["shape"])
        if each["repeats"]:
            times = -(-batch["batch"] // tensor.shape[0])
            tensor = torch.cat([tensor] * times)[:batch["batch"]]
        read[each["name"]] = tensor.to(device=device, dtype=getattr(torch, each["as"])).contiguous()
    return read


# --- Counters ------------------------------------------------------------------------------------


def counters_now():
    """Of Dynamo, in this process so far."""
    from torch._dynamo.utils import counters
    return {"frames": counters["frames"]["total"], "frames_compiled": counters["frames"]["ok"],
            "unique_graphs": counters["stats"]["unique_graphs"], "calls_captured": counters["stats"]["calls_captured"],
            "graph_breaks": dict(counters["graph_break"])}


def counters_since(before):
    now = counters_now()
    made = {name: value - before[name] for name, value in now.items() if name != "graph_breaks"}
    breaks = {reason: count - before["graph_breaks"].get(reason, 0) for reason, count in now["graph_breaks"].items()}
    made["graph_breaks"] = [{"reason": " ".join(reason.split())[:LONGEST_REASON], "count": count}
                            for reason, count in breaks.items() if count > 0]
    return made


def add_counters(total, more):
    for name, value in more.items():
        total[name] = total[name] + value


# --- Measuring -----------------------------------------------------------------------------------


class Candidate:
    """One row: a module in a mode, for a batch."""

    def __init__(self, precision, mode, batch):
        self.precision, self.mode, self.batch = precision, mode, batch
        self.row = {"precision": precision, "mode": mode, "batch": batch["batch"], "units_per_pass": batch["units_per_pass"],
                    "status": "ok", "reason": "", "passes_per_sample": 1, "rounds": [], "first_call_seconds": None,
                    "quantized_layers": 0, "output_distance": None, "counters": None,
                    "counters_missing": "nothing is compiled" if mode == EAGER else ""}
        self.call = None
        self.inputs = ()

    @property
    def name(self):
        return f"{self.precision} {self.mode} batch {self.batch['batch']}"

    def fail(self, error):
        self.row["status"] = "unavailable" if isinstance(error, Unavailable) else "failed"
        name = "" if isinstance(error, Unavailable) else f"{type(error).__name__}: "
        self.row["reason"] = " ".join(f"{name}{error}".split())[:LONGEST_REASON]
        if self.row["counters"] is None and not self.row["counters_missing"]:
            self.row["counters_missing"] = "it was not compiled"
        self.row["rounds"] = []
        self.call = None

    def run(self, torch, times=1):
        for _ in range(times):
            if self.mode in RECORDING:
                torch.compiler.cudagraph_mark_step_begin()
            output = self.call(*self.inputs)
        return output


class Clock:
    """Seconds of what runs on the device between two calls."""

    def __init__(self, torch, device):
        self.torch, self.device = torch, device
        self.events = [torch.cuda.Event(enable_timing=True) for _ in range(2)] if device.type == "cuda" else None

    def synchronize(self):
        if self.events:
            self.torch.cuda.synchronize(self.device)

    def seconds(self, work):
        self.synchronize()
        if not self.events:
            begin = time.perf_counter()
            work()
            return time.perf_counter() - begin
        self.events[0].record()
        work()
        self.events[1].record()
        self.events[1].synchronize()
        return self.events[0].elapsed_time(self.events[1]) / 1e3


@contextlib.contextmanager
def inductor_as_recommended(torch, wanted):
    """What torchao sets in Inductor when it quantizes, for one compile. The precision of float32 products, which older
    versions set too, stays: Dynamo would compile everything anew where it differs."""
    if not wanted:
        yield
        return
    from torch._inductor import config
    from torchao.quantization.utils import recommended_inductor_config_setter
    saved, products = config.save_config(), torch.get_float32_matmul_precision()
    try:
        recommended_inductor_config_setter()
        torch.set_float32_matmul_precision(products)
        yield
    finally:
        config.load_config(saved)


class Peer:
    def __init__(self, torch, request, folder):
        self.torch, self.request, self.folder = torch, request, folder
        self.device = torch.device(request["device"])
        if self.device.type == "cuda":
            torch.cuda.set_device(self.device)
        self.clock = Clock(torch, self.device)
        self.began = time.monotonic()
        self.caches = tempfile.TemporaryDirectory(prefix="measure_peer_", ignore_cleanup_errors=True)

    def measure(self):
        candidates = []
        with self.torch.no_grad():
            for batch in self.request["batches"]:
                candidates += self.prepare(batch)
            self.take_turns(candidates)
        return [each.row for each in candidates]

    def prepare(self, batch):
        candidates = [Candidate(precision, mode, batch) for precision in self.request["precisions"] for mode in self.request["modes"]]
        stages = [stage_module(self.torch, self.folder / stage["archive"], self.device) for stage in batch["stages"]]
        inputs = read_inputs(self.torch, self.folder, batch, self.device)
        base = joined(self.torch, batch["stages"], stages, inputs, batch["judged"])
        reference = base(*inputs.values()).float()
        networks = {}
        for candidate in candidates:
            say(f"preparing {candidate.name}")
            candidate.inputs = tuple(inputs.values())
            try:
                self.stop_in_time()
                if candidate.precision not in networks:
                    networks[candidate.precision] = self.quantized(candidate.precision, batch, stages)
                modules, layers = networks[candidate.precision]
                candidate.row["quantized_layers"] = layers
                self.first_call(candidate, joined(self.torch, batch["stages"], modules, inputs, batch["judged"]), reference)
            except Exception as error:  # a row that says why; the others go on
                candidate.fail(error)
                say(f"  {candidate.row['reason']}")
                self.free()
        return candidates

    def stop_in_time(self):
        limit = self.request["prepare_seconds"]
        if limit and time.monotonic() - self.began > limit:
            raise Unavailable(f"the limit of {limit:g} s for preparing was over")

    def quantized(self, precision, batch, stages):
        """The stages in a precision, and how many layers are quantized there."""
        if precision == BASE:
            return stages, 0
        config = torchao_config(precision)
        config.set_inductor_config = False  # for the whole process, the rows in bf16 as well: see inductor_as_recommended
        quantize = importlib.import_module("torchao.quantization").quantize_
        modules, layers = [], 0
        for stage, module in zip(batch["stages"], stages):
            copied, names = with_linears(self.torch, module, set(self.request["layers"][precision].get(stage["name"], [])))
            before = {name: copied.get_submodule(name).weight for name in names}
            quantize(copied, config, filter_fn=lambda each, name, chosen=before: name in chosen)
            modules.append(copied)
            layers += sum(copied.get_submodule(name).weight is not weight for name, weight in before.items())
        if layers == 0:
            raise Unavailable("no linear layer of this network is quantized in it")
        return modules, layers

    def first_call(self, candidate, module, reference):
        if candidate.mode != EAGER:
            module = self.torch.compile(module, mode=None if candidate.mode == "default" else candidate.mode, dynamic=False)
        candidate.call = module
        before = counters_now()
        with self.own_caches(), inductor_as_recommended(self.torch, candidate.precision != BASE and candidate.mode != EAGER):
            begin = time.monotonic()
            output = candidate.run(self.torch)
            self.clock.synchronize()
            candidate.row["first_call_seconds"] = time.monotonic() - begin
            difference = (output.float() - reference).norm() / reference.norm()
            candidate.row["output_distance"] = difference.item()
            del output
            candidate.run(self.torch, FIRST_PASSES)
            seconds = self.clock.seconds(lambda: candidate.run(self.torch)) or 1e-6
        if not candidate.row["output_distance"] < float("inf"):
            candidate.row["output_distance"] = None
            raise ArithmeticError("its outputs are not finite")
        candidate.row["passes_per_sample"] = max(1, min(LONGEST_SAMPLE_PASSES, int(self.request["sample_seconds"] / seconds)))
        if candidate.mode != EAGER:
            candidate.row["counters"] = counters_since(before)
            say(f"  {candidate.row['first_call_seconds']:.1f} s, {candidate.row['counters']['unique_graphs']} graphs")

    @contextlib.contextmanager
    def own_caches(self):
        """Nothing of an earlier compile is found, and what is made here stays until the end: it is loaded when needed."""
        if not self.request["fresh_caches"]:
            yield
            return
        from torch._inductor.utils import fresh_cache
        with fresh_cache(dir=self.caches.name, delete=False):
            yield

    def free(self):
        gc.collect()
        if self.device.type == "cuda":
            self.torch.cuda.empty_cache()

    def take_turns(self, candidates):
        gc.collect()
        gc.disable()  # a collection would be part of some sample
        order = random.Random(self.request["seed"])
        for number in range(self.request["rounds"]):
            running = [each for each in candidates if each.call is not None]
            order.shuffle(running)
            say(f"round {number + 1} of {self.request['rounds']}: {len(running)} candidates")
            for candidate in running:
                before = counters_now()
                try:
                    candidate.row["rounds"].append(self.samples(candidate))
                except Exception as error:
                    candidate.fail(error)
                    self.free()
                    continue
                if candidate.row["counters"]:
                    add_counters(candidate.row["counters"], counters_since(before))

    def samples(self, candidate):
        passes = candidate.row["passes_per_sample"]
        candidate.run(self.torch, self.request["warmup_passes"])
        return [self.clock.seconds(lambda: candidate.run(self.torch, passes)) / passes for _ in range(self.request["samples"])]


def end_with_parent():
    """Nobody waits for the results if the program that started this one has gone."""
    import ctypes
    import signal
    if os.environ.get("MEASURE_PEER_ENDS_WITH_PARENT"):
        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def say(line):
    print(line, flush=True)


def results_of(torch, request, rows, device):
    ao = version_of("torchao")
    return {"schema_version": SCHEMA_VERSION, "program": PROGRAM,
            "version": f"torch {torch.__version__}" + (f", torchao {ao}" if ao else ""),
            "made_at": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "made_by": "measure_peer.py", "environment": environment(torch, device), "model": request["model"],
            "model_content": request["model_content"], "layers": request["layer_filter"], "sizes": request["sizes"],
            "unit": request["unit"], "rows": rows}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    end_with_parent()
    warnings.filterwarnings("ignore", message="The given buffer is not writable")  # of torch.export.load itself
    place = pathlib.Path(sys.argv[1])
    request = json.loads(place.read_text())
    if request.get("schema_version") != SCHEMA_VERSION:
        sys.exit(f"{place}: a request of version {request.get('schema_version')}, and this script reads {SCHEMA_VERSION}")
    import torch
    import torch._dynamo.utils
    import torch.export
    peer = Peer(torch, request, place.resolve().parent)
    with peer.caches:
        rows = peer.measure()
    results = results_of(torch, request, rows, peer.device)
    out = pathlib.Path(sys.argv[2])
    unfinished = out.with_name(out.name + ".unfinished")
    unfinished.write_text(json.dumps(results, indent=1, allow_nan=False) + "\n")
    os.replace(unfinished, out)
    say(f"{out}: " + ", ".join(f"{count} {status}" for status, count in collections.Counter(row["status"] for row in rows).items()))


if __name__ == "__main__":
    main()
