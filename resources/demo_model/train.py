"""Trains the demo model on procedural pictures within a fixed wall-clock time.

    python3 resources/demo_model/train.py --minutes 8.5 --out FOLDER

Writes encoder.safetensors, decoder.safetensors (bfloat16, renewed every 20 seconds) and training_log.jsonl to FOLDER.
The time includes start, picture generation, compilation and the final evaluation.

What is trained is what is judged: forward and backward run on bfloat16 weights in plain bfloat16, as the eager bf16
mode of the engine does, and float32 master weights collect the updates. Matrices of the blocks take orthogonalised
momentum steps (Muon); embeddings, heads, norms and gammas take AdamW. LayerScale starts at 0.1 and not at 1e-4: with
some ten thousand steps the blocks have to matter from the first.
"""
import argparse
import json
import math
import pathlib
import sys
import time

START = time.monotonic()

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tests" / "oracle")]
import pictures  # noqa: E402
import vitok  # noqa: E402

# 5.97 million parameters: the deepest decoder that keeps both files within 12 MB.
VARIANT = "w256_d2_h4-w256_d5_h4/1x16x64"
GAMMA_START = 0.1
# Share of the time: warm-up of the rate; large pictures start here, so that 512 px and more also work.
WARM_UP, LARGE_FROM = 0.02, 0.80
# A fall of the held-out PSNR by so many dB below its best counts as divergence.
DIVERGED_DB = 3.0
BLOCK_MATRICES = ("qkv_proj.weight", "out_proj.weight", "fc1.weight", "fc2.weight")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=8.5, help="wall-clock time in all")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for weights and log")
    parser.add_argument("--variant", default=VARIANT)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--batch", type=int, default=256, help="pictures of --size per step")
    parser.add_argument("--size", type=int, default=256, help="side of the training crops in pixels")
    parser.add_argument("--pool", type=int, default=4096, help="pictures kept on the device, 2 x --size wide")
    parser.add_argument("--held-out", type=int, default=64, help="pictures of the evaluation")
    parser.add_argument("--rate", type=float, default=3e-3, help="peak learning rate of AdamW")
    parser.add_argument("--matrix-rate", type=float, default=7e-3, help="peak learning rate of Muon")
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--steps", type=int, default=0, help="stop after so many steps and not by the clock")
    parser.add_argument("--no-compile", action="store_true", help="never try torch.compile")
    return parser.parse_args()


class Log:
    """JSON lines to the file and to the terminal; `seconds` counts from the start of the program."""

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.file = open(folder / "training_log.jsonl", "w", encoding="utf-8")

    def __call__(self, event, **fields):
        line = json.dumps({"event": event, "seconds": round(time.monotonic() - START, 2), **fields})
        self.file.write(line + "\n")
        self.file.flush()
        print(line, flush=True)


# --- pictures ------------------------------------------------------------------------------------------------

class Pool:
    """Pictures [count,S,S,3] uint8 on the device; a slice of them is replaced from time to time."""

    def __init__(self, count, size, device, deadline):
        self.chunk = min(64, max(16, count))
        first = pictures.batch(self.chunk, size, device)
        chunks = [first]
        while len(chunks) * self.chunk < count and time.monotonic() < deadline:
            chunks.append(pictures.batch(self.chunk, size, device))
        self.data = torch.cat(chunks)
        self.next = 0
        self.made = len(self.data)

    def refresh(self):
        self.data[self.next:self.next + self.chunk] = pictures.batch(self.chunk, self.data.shape[1], self.data.device)
        self.next = (self.next + self.chunk) % len(self.data)
        self.made += self.chunk

    def crops(self, count, size):
        """Crops [count,3,size,size] float32 in [-1,1]: mirrored, turned, recoloured, a few blended."""
        device, side = self.data.device, self.data.shape[1]
        index = torch.randint(len(self.data), (count, 1, 1), device=device)
        line = torch.arange(size, device=device)

        def positions():
            start = torch.randint(side - size + 1, (count, 1), device=device)
            mirrored = torch.rand(count, 1, device=device) < 0.5
            return start + torch.where(mirrored, size - 1 - line, line)

        x = self.data[index, positions()[:, :, None], positions()[:, None, :]].permute(0, 3, 1, 2).float() / 127.5 - 1
        half = count // 2
        x = torch.cat([x[:half], x[half:].transpose(2, 3)])
        return self.recoloured(x)

    @staticmethod
    def recoloured(x):
        count, device = len(x), x.device
        blend = (torch.rand(count, 1, 1, 1, device=device) < 0.12) * torch.rand(count, 1, 1, 1, device=device) * 0.5
        x = x + (x.flip(0) - x) * blend
        grey = x.mean(1, keepdim=True)
        x = grey + (x - grey) * pictures.uniform(0.5, 1.25, count, 1, 1, 1, device=device)
        contrast = pictures.log_uniform(0.7, 1.25, count, 1, 1, 1, device=device)
        return (x * contrast + 0.08 * torch.randn(count, 3, 1, 1, device=device)).clamp(-1, 1)


# --- network and loss ----------------------------------------------------------------------------------------

def initialise(model):
    for name, parameter in model.named_parameters():
        if name.endswith("gamma"):
            torch.nn.init.constant_(parameter, GAMMA_START)
        elif name.endswith("bias"):
            torch.nn.init.zeros_(parameter)
        elif parameter.dim() == 2:
            torch.nn.init.normal_(parameter, std=parameter.shape[1] ** -0.5)


def structure(a, b):
    """Mean SSIM over 8 x 8 boxes, stride 4; cheap and differentiable."""
    def box(x):
        return F.avg_pool2d(x, 8, 4)

    mean_a, mean_b = box(a), box(b)
    variance = box(a * a) + box(b * b) - mean_a * mean_a - mean_b * mean_b
    covariance = box(a * b) - mean_a * mean_b
    c1, c2 = (0.01 * 2) ** 2, (0.03 * 2) ** 2
    light = (2 * mean_a * mean_b + c1) / (mean_a * mean_a + mean_b * mean_b + c1)
    return (light * (2 * covariance + c2) / (variance + c2)).mean()


def loss_of(output, target):
    """Root-mean-square error per picture (so that easy pictures count as in PSNR), Charbonnier, a little SSIM.

    SSIM looks at every fourth picture only: it would cost as much as the rest and adds little.
    """
    output = output.float()
    squared = (output - target).square()
    rms = (squared.mean(dim=(1, 2, 3)) + 1e-6).sqrt().mean()
    return rms + 0.3 * (squared + 1e-6).sqrt().mean() + 0.02 * (1 - structure(output[::4], target[::4]))


# --- optimiser -----------------------------------------------------------------------------------------------

def orthogonalised(matrices):
    """Nearest semi-orthogonal matrices of a stack [k,m,n], to the few per cent that five quintic steps give."""
    x = matrices.bfloat16()
    wide = x.shape[1] > x.shape[2]
    if wide:
        x = x.transpose(1, 2)
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(5):
        gram = x @ x.transpose(1, 2)
        x = 3.4445 * x + (-4.775 * gram + 2.0315 * gram @ gram) @ x
    return (x.transpose(1, 2) if wide else x).float()


class Optimizer:
    """Float32 masters and their running average (EMA) behind the bfloat16 weights of the model."""

    def __init__(self, model, options):
        self.options, self.steps, self.scale = options, 0, 1.0
        stacks, self.others = {}, []
        for name, parameter in model.named_parameters():
            if name.endswith(BLOCK_MATRICES):
                stacks.setdefault(parameter.shape, []).append(parameter)
            else:
                self.others.append(parameter)
        self.stacks = list(stacks.values())
        self.masters = [torch.stack([p.detach().float() for p in stack]) for stack in self.stacks]
        self.momenta = [torch.zeros_like(master) for master in self.masters]
        self.singles = [p.detach().float().clone().requires_grad_() for p in self.others]
        decayed = [p for p in self.singles if p.dim() == 2]
        kept = [p for p in self.singles if p.dim() != 2]
        self.adam = torch.optim.AdamW([{"params": decayed, "weight_decay": options.decay},
                                       {"params": kept, "weight_decay": 0.0}], lr=options.rate, betas=(0.9, 0.98))
        self.average = [tensor.detach().clone() for tensor in self.everything()]
        self.kept = [tensor.clone() for tensor in self.average]

    def everything(self):
        return self.masters + [single.detach() for single in self.singles]

    @torch.no_grad()
    def step(self, factor):
        """One update with both rates scaled by `factor`; clears the gradients."""
        factor *= self.scale
        for stack, master, momentum in zip(self.stacks, self.masters, self.momenta):
            gradient = torch.stack([p.grad for p in stack]).float()
            momentum.lerp_(gradient, 0.05)
            update = orthogonalised(gradient.lerp(momentum, 0.95))
            # Brings the update to the root-mean-square size that AdamW's have.
            rate = self.options.matrix_rate * factor
            master.mul_(1 - rate * self.options.decay)
            master.add_(update, alpha=-rate * 0.2 * max(master.shape[1:]) ** 0.5)
            torch._foreach_copy_(stack, list(master.unbind()))
        for single, parameter in zip(self.singles, self.others):
            single.grad = parameter.grad.float()
        torch.nn.utils.clip_grad_norm_(self.singles, 1.0)
        for group in self.adam.param_groups:
            group["lr"] = self.options.rate * factor
        self.adam.step()
        torch._foreach_copy_(self.others, self.singles)
        for stack in self.stacks + [self.others]:
            for parameter in stack:
                parameter.grad = None
        self.steps += 1
        keep = min(0.9985, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(self.average, self.everything(), 1 - keep)

    @torch.no_grad()
    def write_average(self, model):
        """Copies the averaged weights, rounded to the type of `model`, into a model of the same make."""
        named = dict(zip((id(p) for stack in self.stacks for p in stack),
                         (part for stack in self.average[:len(self.stacks)] for part in stack.unbind())))
        named.update(zip((id(p) for p in self.others), self.average[len(self.stacks):]))
        for target, source in zip(model.parameters(), self.model_parameters):
            target.copy_(named[id(source)])

    def attach(self, model):
        self.model_parameters = list(model.parameters())

    @torch.no_grad()
    def keep(self):
        """Remembers the average for recover(): one step with a NaN spoils masters and average together."""
        torch._foreach_copy_(self.kept, self.average)

    @torch.no_grad()
    def recover(self, model):
        """After divergence: masters and average as they were at keep(), momenta cleared, half the rate."""
        torch._foreach_copy_(self.everything(), self.kept)
        torch._foreach_copy_(self.average, self.kept)
        for momentum in self.momenta:
            momentum.zero_()
        self.adam.state.clear()
        self.write_average(model)
        for parameter in model.parameters():
            parameter.grad = None
        self.scale *= 0.5


# --- training ------------------------------------------------------------------------------------------------

@torch.no_grad()
def psnr_of(model, held_out, chunk=16):
    """PSNR in dB per picture, value range [0,1], of uint8 pictures [n,S,S,3]; output clamped as a viewer does."""
    parameter = next(model.parameters())
    values = []
    for part in held_out.split(chunk):
        target = part.to(parameter.device).permute(0, 3, 1, 2).float() / 127.5 - 1
        output = model(target.to(parameter.dtype)).float().clamp(-1, 1)
        error = ((output - target) / 2).square().mean(dim=(1, 2, 3))
        values.append(-10 * torch.log10(error.clamp_min(1e-12)).cpu())
    return torch.cat(values)


def train_step(model, optimizer, target, factor):
    loss = loss_of(model(target.to(torch.bfloat16)), target)
    loss.backward()
    optimizer.step(factor)
    return loss.detach()


def blocks_of(model):
    return [*model.encoder.encoder_blocks, *model.decoder.decoder_blocks]


def try_compile(model, shapes, pool, log):
    """Compiles the blocks (all alike, so once per shape); leaves them eager where that fails in any way."""
    try:
        torch._dynamo.config.recompile_limit = 64
        for block in blocks_of(model):
            block.compile(dynamic=False)
        for count, size in shapes:
            target = pool.crops(count, size)
            loss_of(model(target.to(torch.bfloat16)), target).backward()
            log("compiled", batch=count, size=size)
    except Exception as error:  # noqa: BLE001: whatever the compiler throws, eager works
        for block in blocks_of(model):
            block._compiled_call_impl = None
        log("compile_failed", reason=f"{type(error).__name__}: {str(error)[:300]}")
    for parameter in model.parameters():
        parameter.grad = None


def rate_factor(share):
    """Linear warm-up, then cosine down to 1 %, over the share of the time."""
    if share < WARM_UP:
        return 0.02 + 0.98 * share / WARM_UP
    return 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1, (share - WARM_UP) / (1 - WARM_UP))))


class Trainer:
    def __init__(self, options, log):
        self.options, self.log, self.device = options, log, torch.device(options.device)
        self.held_out = pictures.held_out(options.held_out, options.size)
        torch.manual_seed(options.seed)  # only now: the held-out set seeds the GPU's generator too
        log("held_out", pictures=len(self.held_out))
        variant = vitok.Variant.parse(options.variant)
        self.model = vitok.AutoEncoder(variant).to(self.device)
        initialise(self.model)
        self.model.to(torch.bfloat16)
        self.judged = vitok.AutoEncoder(variant).to(self.device, torch.bfloat16).eval()
        self.optimizer = Optimizer(self.model, options)
        self.optimizer.attach(self.model)
        self.best = -math.inf  # PSNR of the held-out pictures in dB
        self.end = START + 60 * options.minutes
        self.pool = Pool(options.pool, 2 * options.size, self.device, START + 6 * options.minutes)
        log("pool", pictures=len(self.pool.data), parameters=sum(p.numel() for p in self.model.parameters()))
        # The same number of tokens in both shapes.
        self.shapes = [(options.batch, options.size), (max(1, options.batch // 4), 2 * options.size)]

    def save(self, **facts):
        self.optimizer.write_average(self.judged)
        vitok.save(self.judged, self.options.out, torch.bfloat16,
                   {"variant": self.options.variant, "seed": str(self.options.seed), **facts})

    def report(self, loss, pace):
        self.optimizer.write_average(self.judged)
        psnr = psnr_of(self.judged, self.held_out[:32]).mean().item()
        if not math.isfinite(loss + psnr) or psnr < self.best - DIVERGED_DB:
            self.recover(loss=loss, psnr_db=round(psnr, 3))
            return
        self.best = max(self.best, psnr)
        self.optimizer.keep()
        self.save(step=str(self.optimizer.steps))
        self.log("progress", step=self.optimizer.steps, loss=round(loss, 5), psnr_db=round(psnr, 3),
                 steps_per_second=round(pace, 2), pictures_made=self.pool.made,
                 rate_factor=round(rate_factor(self.share()), 4))

    def recover(self, **facts):
        self.optimizer.recover(self.model)
        self.log("recovered", step=self.optimizer.steps, rate_scale=self.optimizer.scale, **facts)

    def share(self):
        """How much of the training is done, 0 to 1."""
        if self.options.steps:
            return self.optimizer.steps / self.options.steps
        return (time.monotonic() - self.begin) / max(1e-9, self.end - self.reserve - self.begin)

    def refresh_when_due(self, spent):
        """Keeps picture making at about an eighth of the training time. Returns the seconds spent on it."""
        if spent > 0.125 * (time.monotonic() - self.begin):
            return 0.0
        started = time.monotonic()
        self.pool.refresh()
        self.synchronize()
        return time.monotonic() - started

    def synchronize(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def run(self):
        if not self.options.no_compile:
            try_compile(self.model, self.shapes, self.pool, self.log)
        self.begin = reported = time.monotonic()
        self.reserve = min(12.0, 0.04 * 60 * self.options.minutes)  # for the final evaluation, in seconds
        spent, since = 0.0, 0
        interval = min(20.0, 6 * self.options.minutes)
        while (share := self.share()) < 1:
            # Every second step, so that the positions of small pictures are not forgotten.
            large = share > LARGE_FROM and self.optimizer.steps % 2 == 0
            loss = train_step(self.model, self.optimizer, self.pool.crops(*self.shapes[large]), rate_factor(share))
            if self.optimizer.steps % 10 == 0:
                self.synchronize()  # keeps the clock honest: the queue may not run ahead of it
                spent += self.refresh_when_due(spent)
                if not math.isfinite(loss.item()):
                    self.recover(loss=loss.item())
                    continue
            now = time.monotonic()
            if now - reported > interval:
                self.report(loss.item(), (self.optimizer.steps - since) / (now - reported))
                reported, since = time.monotonic(), self.optimizer.steps

    def finish(self):
        self.save(step=str(self.optimizer.steps), minutes=str(self.options.minutes))
        results = {}
        for name, dtype in (("bf16", torch.bfloat16), ("fp32", torch.float32)):
            psnr = psnr_of(vitok.load(self.options.out, dtype, self.device), self.held_out)
            results[name] = {"mean": round(psnr.mean().item(), 3), "min": round(psnr.min().item(), 3)}
        size = sum((self.options.out / f"{side}.safetensors").stat().st_size for side in ("encoder", "decoder"))
        self.log("result", variant=self.options.variant, steps=self.optimizer.steps, file_bytes=size,
                 pictures_made=self.pool.made, held_out_pictures=len(self.held_out), psnr_db=results)
        print(f"PSNR on {len(self.held_out)} held-out procedural pictures: {results['bf16']['mean']:.2f} dB in bf16, "
              f"{results['fp32']['mean']:.2f} dB in fp32 (mean)")


def main():
    options = arguments()
    log = Log(options.out)
    log("start", torch=torch.__version__, device=options.device, variant=options.variant, seed=options.seed)
    trainer = Trainer(options, log)
    trainer.run()
    trainer.finish()


if __name__ == "__main__":
    main()
