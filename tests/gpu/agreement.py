"""Do our timers agree with those that others trust? Times the kernels of measure_kernels.cpp on one GPU.

    python3 agreement.py MEASURE_KERNELS… --out ROWS.jsonl [--rounds 5]

MEASURE_KERNELS is the command that starts measure_kernels. In each round every timer gets its turn, in a random order:
ours (each kernel warm and cold), triton.testing.do_bench (cold: it clears 256 MB before each call) and do_bench_cudagraph
(warm), torch.utils.benchmark.Timer (warm, by the host's clock over blocks), and an event loop of nvbench's kind (cold: the
L2 cache is overwritten and the stream blocked by a spinning kernel before each launch). One JSON line per kernel, timer and
round with the median in seconds.
"""
import argparse
import json
import random
import statistics
import subprocess

import torch
import triton.testing
from torch.utils import benchmark


def kernels():
    def normal(*shape, dtype):
        return torch.randn(*shape, device="cuda").to(dtype)

    made = {}
    for name, size, dtype in (("gemm_bf16_4096", 4096, torch.bfloat16), ("gemm_fp16_8192", 8192, torch.float16),
                              ("gemm_fp32_4096", 4096, torch.float32)):
        a, b = normal(size, size, dtype=dtype), normal(size, size, dtype=dtype)
        out = torch.empty_like(a)
        made[name] = lambda a=a, b=b, out=out: torch.mm(a, b, out=out)
    source = normal(1 << 27, dtype=torch.float32)
    target, total = torch.empty_like(source), torch.empty(1, device="cuda")
    made["copy_512MiB"] = lambda: target.copy_(source)
    made["sum_512MiB"] = lambda: torch.sum(source, dim=0, keepdim=True, out=total)
    rows = normal(16384, 8192, dtype=torch.bfloat16)
    soft = torch.empty_like(rows)
    made["softmax_16384x8192"] = lambda: torch._softmax(rows, 1, False, out=soft)
    weight, bias = torch.ones(8192, device="cuda").bfloat16(), torch.zeros(8192, device="cuda").bfloat16()
    made["layer_norm_16384x8192"] = lambda: torch.nn.functional.layer_norm(rows, (8192,), weight, bias)
    heads = normal(16, 16, 2048, 64, dtype=torch.bfloat16)
    made["attention_16x16x2048x64"] = lambda: torch.nn.functional.scaled_dot_product_attention(heads, heads, heads)
    return made


def nvbench_like(work, seconds=0.5):
    """One launch per sample behind a blocked stream and an overwritten L2 cache; the median of the event times."""
    sweep = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.uint8, device="cuda")
    for _ in range(10):
        work()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    times = []
    while sum(times) < seconds and len(times) < 1000:
        sweep.zero_()
        torch.cuda.synchronize()
        torch.cuda._sleep(200_000)  # cycles: about 0.1 ms, longer than a launch takes
        begin.record()
        work()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1e-3)
    return statistics.median(times)


def torch_timer(work):
    return benchmark.Timer("work()", globals={"work": work}).blocked_autorange(min_run_time=0.5).median


TIMERS = {
    "triton_do_bench": ("cold", lambda work: triton.testing.do_bench(work, warmup=100, rep=500, return_mode="median") * 1e-3),
    "triton_cudagraph": ("warm", lambda work: triton.testing.do_bench_cudagraph(work, rep=200, return_mode="median") * 1e-3),
    "torch_timer": ("warm", torch_timer),
    "nvbench_like": ("cold", nvbench_like),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(1)
    order = random.Random(1)
    made = kernels()
    with open(options.out, "w", encoding="utf-8") as out, torch.inference_mode():
        def write(**row):
            out.write(json.dumps(row) + "\n")
            out.flush()

        write(device=torch.cuda.get_device_name(), torch=torch.__version__, triton=triton.__version__)
        for number in range(options.rounds):
            turns = [(name, timer) for name in made for timer in ("ours", *TIMERS)]
            order.shuffle(turns)
            for name, timer in turns:
                if timer == "ours":
                    done = subprocess.run([*options.command, name], capture_output=True, text=True, check=True)
                    for line in done.stdout.splitlines():
                        row = json.loads(line)
                        cache = "cold" if row["way"].endswith("cold") else "warm"
                        write(round=number, kernel=name, timer="ours_" + row["way"], cache=cache, seconds=row["device_s"],
                              samples=row["samples"], passes_per_sample=row["passes_per_sample"])
                else:
                    cache, measure = TIMERS[timer]
                    write(round=number, kernel=name, timer=timer, cache=cache, seconds=measure(made[name]))


if __name__ == "__main__":
    main()
