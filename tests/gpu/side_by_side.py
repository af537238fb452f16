"""The engine's eager bf16 against the same network in plain PyTorch eager, interleaved on one GPU.

    python3 side_by_side.py BUNDLE OUT [--rounds 3] [--batches 1,16,64]

BUNDLE is a node bundle. Each round times PyTorch (tests/oracle/vitok.py, weights of the same sizes) and the engine
(quantscope-cli run, its own worker process) one after the other; peak memory is the allocator's. Writes OUT/side_by_side.json.
"""
import argparse
import gc
import json
import pathlib
import statistics
import subprocess
import sys

import torch

VARIANT = "Ld4-Ld24/1x16x64"
SIZE = 256


def pytorch_times(vitok, batch, samples):
    variant = vitok.Variant.parse(VARIANT)
    torch.cuda.empty_cache()
    model = vitok.AutoEncoder(variant).to("cuda", torch.bfloat16).eval()
    generator = torch.Generator("cuda").manual_seed(1)
    for tensor in model.state_dict().values():
        if tensor.dim() == 2:
            tensor.normal_(0, tensor.shape[1] ** -0.5, generator=generator)
    grid = SIZE // 16
    # As in the benchmark that the network comes from: the timed pass takes patches.
    patches = torch.randn(batch, grid * grid, 768, device="cuda", dtype=torch.bfloat16, generator=generator)
    index = torch.arange(grid * grid, device="cuda")
    rows, columns = (index // grid).expand(batch, -1).contiguous(), (index % grid).expand(batch, -1).contiguous()

    def step():
        return model.decoder(model.encoder(patches, rows, columns), rows, columns)

    with torch.inference_mode():
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
    del model, patches
    gc.collect()
    torch.cuda.empty_cache()
    return statistics.median(times), peak


def engine_times(bundle, folder, batch):
    run = [str(bundle / "quantscope-node"), "quantscope-cli"]
    subprocess.run(run + ["run", str(bundle / "presets/vitok/h200_350m.json"), "--out", str(folder), "--set", "precision=bf16",
                          "--set", "compile=none", "--set", f"batch={batch}", "--set", "rounds=1", "--set", "noise_floor=false"],
                   check=True, stdout=subprocess.DEVNULL)
    # A journal line is "length checksum json".
    with open(folder / "journal.jsonl", encoding="utf-8") as file:
        records = [json.loads(line.split(" ", 2)[2]) for line in file]
    row = next(record for record in records if record.get("type") == "row")
    result = row["result"]
    return {"status": row["failure"]["kind"] if "failure" in row else "ok", "seconds": statistics.median(result["device_s"]), "samples": len(result["device_s"]),
            "allocated_peak_bytes": result["memory"]["allocated_peak_bytes"], "executed": result["executed"],
            "attention": result["attention"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bundle", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batches", default="1,16,64")
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.bundle / "tests" / "oracle"))
    import vitok
    rows = []
    for round_number in range(arguments.rounds):
        for batch in map(int, arguments.batches.split(",")):
            seconds, peak = pytorch_times(vitok, batch, 30)
            cell = engine_times(arguments.bundle, arguments.out / f"sbs_{round_number}_{batch}", batch)
            rows.append({"round": round_number, "batch": batch, "pytorch_s": seconds, "pytorch_peak_bytes": peak, "engine": cell})
            rows[-1]["engine_over_pytorch"] = cell["seconds"] / seconds
            print(json.dumps(rows[-1]), flush=True)
    (arguments.out / "side_by_side.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
