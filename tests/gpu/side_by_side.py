"""The engine's bf16 against the same network in plain PyTorch in the same mode, interleaved on one GPU.

    python3 side_by_side.py BUNDLE OUT [--rounds 3] [--batches 1,16,64] [--modes none,inductor-default,fused]

BUNDLE is a node bundle. Each round times PyTorch (tests/oracle/vitok.py, weights of the same sizes; torch.compile of
encoder and decoder for the modes of Inductor, and with CUDA graphs for `fused`) and the engine (quantscope-cli run, its
own worker process) one after the other; peak memory is the allocator's. Writes OUT/side_by_side.json.
"""
import argparse
import itertools
import json
import pathlib
import statistics
import subprocess
import sys

import torch

VARIANT = "Ld4-Ld24/1x16x64"
SIZE = 256


# Compile mode of the engine -> what torch.compile calls it, or for our own kernels, which are one CUDA graph for each
# stage, what comes closest to that.
MODES = {"none": None, "fused": "reduce-overhead",
         "inductor-default": "default", "inductor-reduce-overhead": "reduce-overhead",
         "inductor-max-autotune": "max-autotune", "inductor-max-autotune-no-cudagraphs": "max-autotune-no-cudagraphs"}


class PyTorch:
    """The network, and what is compiled of it for one batch and mode."""

    def __init__(self, vitok):
        variant = vitok.Variant.parse(VARIANT)
        self.model = vitok.AutoEncoder(variant).to("cuda", torch.bfloat16).eval()
        self.generator = torch.Generator("cuda").manual_seed(1)
        for tensor in self.model.state_dict().values():
            if tensor.dim() == 2:
                tensor.normal_(0, tensor.shape[1] ** -0.5, generator=self.generator)
        self.stages = {}

    def step_of(self, batch, mode):
        encoder, decoder = self.model.encoder, self.model.decoder
        if MODES[mode]:
            key = batch, MODES[mode]
            if key not in self.stages:
                self.stages[key] = [torch.compile(each, mode=MODES[mode], dynamic=False) for each in (encoder, decoder)]
            encoder, decoder = self.stages[key]
        grid = SIZE // 16
        # As in the benchmark that the network comes from: the timed pass takes patches.
        patches = torch.randn(batch, grid * grid, 768, device="cuda", dtype=torch.bfloat16, generator=self.generator)
        index = torch.arange(grid * grid, device="cuda")
        rows, columns = (index // grid).expand(batch, -1).contiguous(), (index % grid).expand(batch, -1).contiguous()

        def step():
            torch.compiler.cudagraph_mark_step_begin()
            return decoder(encoder(patches, rows, columns), rows, columns)
        return step

    @torch.inference_mode()
    def times(self, batch, mode, samples):
        step = self.step_of(batch, mode)
        for _ in range(5):
            step()
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        times = []
        for _ in range(samples):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            step()
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end) * 1e-3)
        peak = torch.cuda.max_memory_allocated()
        torch.cuda.empty_cache()
        return statistics.median(times), peak


def engine_times(bundle, folder, batch, mode):
    run = [str(bundle / "quantscope-node"), "quantscope-cli"]
    subprocess.run(run + ["run", str(bundle / "presets/vitok/h200_350m.json"), "--out", str(folder), "--set", "precision=bf16",
                          "--set", f"compile={mode}", "--set", f"batch={batch}", "--set", "rounds=1", "--set", "noise_floor=false"],
                   check=True, stdout=subprocess.DEVNULL)
    # A journal line is "length checksum json".
    with open(folder / "journal.jsonl", encoding="utf-8") as file:
        records = [json.loads(line.split(" ", 2)[2]) for line in file]
    # The eager cell that others are compared with is measured, too.
    rows = [record for record in records if record.get("type") == "row"]
    row = next(row for row in rows if bool(row["result"].get("compiles")) == (mode != "none"))
    result = row["result"]
    return {"status": row["failure"]["kind"] if "failure" in row else "ok", "seconds": statistics.median(result["device_s"]), "samples": len(result["device_s"]),
            "allocated_peak_bytes": result["memory"]["allocated_peak_bytes"], "executed": ", ".join("{stage} {scheme} {matched}/{layers} layers".format(**each) for each in result["executed"]),
            "attention": result["attention"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bundle", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batches", default="1,16,64")
    parser.add_argument("--modes", default="none")
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.bundle / "tests" / "oracle"))
    import vitok
    pytorch = PyTorch(vitok)
    rows = []
    for round_number in range(arguments.rounds):
        for batch, mode in itertools.product(map(int, arguments.batches.split(",")), arguments.modes.split(",")):
            seconds, peak = pytorch.times(batch, mode, 30)
            cell = engine_times(arguments.bundle, arguments.out / f"sbs_{round_number}_{batch}_{mode}", batch, mode)
            rows.append({"round": round_number, "batch": batch, "mode": mode, "pytorch_mode": MODES[mode], "pytorch_s": seconds,
                         "pytorch_peak_bytes": peak, "engine": cell, "engine_over_pytorch": cell["seconds"] / seconds})
            print(json.dumps(rows[-1]), flush=True)
    (arguments.out / "side_by_side.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
