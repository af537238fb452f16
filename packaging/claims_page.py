#!/usr/bin/env python3
"""Writes the help page of a source system from runs of its presets: what its document claims, and
what was measured.

    packaging/claims_page.py resnet_precision --cli build/bin/quantscope-cli \\
        --out resources/help/12_resnet_precision.md RUN [RUN ...]

Without runs the page keeps its figures, and has its presets as they are now. With --add it keeps
those of other runs. What the page says of the commands of the document is written by hand, and
stays.

Every figure comes from the reports of the runs (quantscope-cli report); nothing is typed in. Run it
again with other runs to replace the page. A run whose preset has no claims of its own is held
against those of --claims PRESET, which have to be about its model; the page says so.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROFILES = {
    "resnet_precision": ("ResNet-18 precision guide", "resnet-precision"),
    "olmoearth": ("OlmoEarth INT8 throughput", "olmoearth-throughput"),
    "gptq_compile": ("GPTQ of language models", "gptq-benchmark"),
    "surgical_compile": ("Surgical compile of Llama blocks", "surgical-compile"),
    "vitok": ("ViTok: torch.compile and INT8", "vitok-benchmark"),
}
# More lines are no page.
MOST_CELLS = 40
UNITS = {"B": [("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("B", 1)],
         "s": [("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)]}


def with_claims(run, preset, folder):
    """The run, or where it claims nothing a copy of it with the claims of the preset."""
    plan = json.loads((pathlib.Path(run) / "plan.json").read_text())
    if preset is None or plan["preset"].get("claims"):
        return run
    copy = pathlib.Path(folder) / "run"
    shutil.copytree(run, copy)
    plan["preset"]["claims"] = json.loads(preset.read_text())["claims"]
    (copy / "plan.json").write_text(json.dumps(plan))
    return copy


def report_of(cli, run, preset):
    """What the report says, with "claims_from": the preset that lent its claims, if one did, and
    "layer_types": the tables of time per layer type, if layers were quantized as a workload."""
    with tempfile.TemporaryDirectory() as folder:
        claiming = with_claims(run, preset, folder)
        done = subprocess.run([cli, "report", claiming, "--json", "--out", folder],
                              capture_output=True, text=True, check=False)
        file = pathlib.Path(folder) / "report.json"
        if not file.exists():
            sys.exit(f"{run}: {done.stderr.strip() or 'no report was written'}")
        report = json.loads(file.read_text())
        report["claims_from"] = None if claiming == run else preset
        report["layer_types"] = layer_types_of(cli, run, folder) if quantizes(report) else []
        return report


def quantizes(report):
    return any(cell["configuration"].get("workload") == "quantize"
               for cell in report["plan"]["cells"] if cell["role"] == "swept")


def layer_types_of(cli, run, folder):
    """Of each scenario: by layer type, and in it by way, the mean time with the speed-up."""
    files = pathlib.Path(folder) / "files"
    subprocess.run([cli, "report", run, "--profile", PROFILES["gptq_compile"][1], "--out", files],
                   capture_output=True, check=True)
    scenarios = []
    for file in sorted(files.glob("artifacts/*/summary.md")):
        lines = file.read_text().partition("## By layer type\n\n")[2].splitlines()
        types = {}
        for line in lines[2:]:
            way, kind, _, seconds, _, ratio, _ = (
                each.strip() for each in line.strip("| ").split("|"))
            types.setdefault(kind.replace("\\", ""), {})[way] = (
                seconds if ratio == "–" else f"{seconds} ({ratio})")
        if types:
            scenarios.append(types)
    return scenarios


def cell_text(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(head, lines):
    rows = [head, ["---"] * len(head), *lines]
    return "".join("| " + " | ".join(cell_text(each) for each in row) + " |\n" for row in rows)


def unit_of(expectation):
    """The unit that the expectation is written in: "weights <= 43 MiB for …" -> MiB."""
    words = expectation.split(" for ")[0].split()
    return words[3] if len(words) > 3 else ""


def number_text(value, unit):
    if unit == "%":
        return f"{value * 100:.3g} %"
    for units in UNITS.values():
        for name, size in units:
            if unit == name:
                # Four digits, and sizes of more than 1000 MiB to the hundredth, as the documents have them.
                return f"{value / size:.{6 if name == 'MiB' and value >= 1000 * size else 4}g} {name}"
    return f"{value:.4g}" + (f" {unit}" if unit else "")


def measured_text(claim, cells):
    """One value for each cell and metric, with its 95 % interval where it has one."""
    parts = []
    for cell in claim["cells"]:
        values = {}
        for gate in cell["gates"]:
            if gate["measured"] is None:
                continue
            unit = unit_of(gate["expect"])
            text = number_text(gate["measured"], unit)
            if gate["interval_95"]:
                low, high = gate["interval_95"]
                text += f" [{number_text(low, unit)}, {number_text(high, unit)}]"
            metric = gate["expect"].split()[0]
            values[metric] = ("≤ " if gate["measured_is_upper_limit"] else "") + text
        parts += [f"{cells[cell['cell']]['label']}: {metric.replace('_', ' ')} {text}"
                  for metric, text in values.items()]
    return "; ".join(parts) if parts else "–"


def claims_of(report):
    if not report["claims"]:
        return "The sweep of this run claims nothing.\n"
    lender, lent = report["claims_from"], ""
    if lender:
        name = json.loads(lender.read_text())["name"]
        lent = f"The sweep of this run claims nothing: these are the claims of *{name}*.\n\n"
    if all(claim["result"] == "not testable" for claim in report["claims"]):
        return lent + "None of the claims can be tested with this run.\n"
    cells = {cell["cell"]: cell for cell in report["cells"]}
    lines = []
    for claim in report["claims"]:
        lines.append([claim["claim"], claim["source"], measured_text(claim, cells),
                      claim["result"]])
    return lent + table(["Claimed", "Where", "Measured here (95 % interval)", "Result"], lines)


def speed_text(cell, labels):
    """How many times as fast as its baseline, with the 95 % interval where repeats give one."""
    if cell["speed_baseline"] not in labels:
        return "no baseline in this run"
    if cell["speed_baseline"] == cell["cell"]:
        return "baseline"
    ratio = cell["metrics"].get("speedup_ratio")
    if ratio is None:
        return "–"
    interval = cell["metrics"]["speedup_ratio_interval_95"]
    return f"{ratio:.3g}" + (f" [{interval[0]:.3g}, {interval[1]:.3g}]" if interval
                             else ", too few repeats for an interval")


def seconds_text(seconds):
    return "–" if seconds is None else number_text(seconds, "s" if seconds >= 1 else "ms")


def cold_text(cell):
    # A cell that was compiled in several goes may by itself take less.
    limited = cell.get("compile_cost", {}).get("seconds_are_upper_limits", False)
    return ("≤ " if limited else "") + seconds_text(cell["metrics"].get("cold_compile_seconds"))


def measured_of(report):
    """Every cell of the sweep with its time, beside the one that speed-ups are formed with.

    Of runs on a GPU: quick presets are there to be tried, their times on a processor are no result.
    """
    if all(cell["configuration"]["device"] == "cpu" for cell in report["plan"]["cells"]):
        return ""
    labels = {cell["cell"]: cell["label"] for cell in report["cells"]}
    swept = {cell["id"] for cell in report["plan"]["cells"] if cell["role"] == "swept"}
    cells = [cell for cell in report["cells"]
             if cell["metrics"].get("seconds_per_pass") is not None and cell["cell"] in swept]
    if not cells or len(cells) > MOST_CELLS:
        return ""
    baselines = [labels.get(cell["speed_baseline"], "–") for cell in cells]
    one = len(set(baselines)) == 1
    head = ["Cell", "Time", "Times as fast (95 % interval)", "Compared with"]
    lines = [[cell["label"], seconds_text(cell["metrics"]["seconds_per_pass"]),
              speed_text(cell, labels), baseline, cold_text(cell)]
             for cell, baseline in zip(cells, baselines)]
    if one:
        head, lines = head[:3], [line[:3] + line[4:] for line in lines]
    of = ("loading, calibrating and quantizing the model once" if quantizes(report) else "a pass")
    text = f"\nTimes of {of}" + (
        f", and how many times as fast as {baselines[0]}" if one and baselines[0] != "–" else "")
    text += ":\n\n" + table([*head, "Compile, cold"], lines)
    if any(line[-1].startswith("≤") for line in lines):
        text += ("\n≤: an upper limit. What a cell needs was compiled in several goes or together "
                 "with what others need; by itself it may take less.\n")
    return text


def layer_types_text(report):
    text = ""
    for types in report["layer_types"]:
        ways = list(dict.fromkeys(way for each in types.values() for way in each))
        text += ("\nMean time to quantize a layer, by its type (and how many times as fast as "
                 "baseline, the straight way):\n\n" if "baseline" in ways else
                 "\nMean time to quantize a layer, by its type:\n\n")
        text += table(["Layer type", *ways],
                      [[kind, *(each.get(way, "–") for way in ways)]
                       for kind, each in types.items()])
    return text


def crossovers_of(report):
    lines = []
    for family in report.get("gpu_against_cpu", []):
        batch = family["gpu_faster_from_batch"]
        ratios = ", ".join(f"{each['batch']}: {each['cpu_over_gpu_time_ratio']:.3g}×"
                           for each in family["batches"])
        lines.append([family["gpu_family"], ratios,
                      "at no measured batch" if batch is None else f"from batch {batch} on"])
    if not lines:
        return ""
    return ("\nTime of the processor over that of the GPU, by batch:\n\n" +
            table(["GPU cell", "CPU time / GPU time", "GPU is faster"], lines))


def device_text(report):
    used = {cell["configuration"]["device"] for cell in report["plan"]["cells"]
            if "configuration" in cell} or {"cpu"}
    names = []
    for environment in report["environments"]:
        names += [device["name"] for device in environment["devices"]
                  if device["id"] in used and device["name"] not in names]
    return " and ".join(names) or "no device yet"


def presets_of(system):
    lines = []
    for file in sorted((ROOT / "presets" / system).glob("*.json")):
        preset = json.loads(file.read_text())
        lines.append(f"* **{preset['name']}** (`presets/{system}/{file.name}`): "
                     f"{preset['description']}\n")
    return "".join(lines)


PRESETS_HEAD = "## Presets\n\n"
PRESETS_END = "\n*Export"
# Of the part that is written by hand.
COMMANDS_HEAD = "\n## The document's commands\n"


def head_of(system):
    return (f"# {PROFILES[system][0]}\n\nThe presets of this document, what it claims, and what was "
            "measured: by these presets, or by sweeps of the same models. This page is made from the "
            "rows of the runs by `packaging/claims_page.py`. A claim is *confirmed* or "
            "*contradicted* where the whole 95 % interval says so, or the figure itself where it has "
            "none, such as bytes, differences of outputs and seconds of a compiler; *undecided* "
            "where repeats are too few for an interval, or its limit lies within.\n\n")


def with_presets(page, system):
    """The page with its head and the list of presets as they are now."""
    _, head, rest = page.partition(PRESETS_HEAD)
    _, end, after = rest.partition(PRESETS_END)
    if not head or not end:
        sys.exit(f"{system}: the page has no list of presets")
    return head_of(system) + head + presets_of(system) + end + after


def commands_of(page):
    """What is written by hand in the page; empty if it has no such part."""
    _, head, rest = page.partition(COMMANDS_HEAD)
    return head + re.split(r"(?=\n## )", rest, maxsplit=1)[0]


def page_of(system, reports, commands):
    profile = PROFILES[system][1]
    text = head_of(system) + PRESETS_HEAD + presets_of(system)
    text += (f"{PRESETS_END} → Export for…*, or `quantscope-cli report RUN --profile {profile} --out "
             "FOLDER`, writes the files of the document's own script.\n")
    return text + commands + "".join(section_of(report) for report in reports)


def section_of(report):
    name = report["plan"]["preset"]["name"]
    return (f"\n## {name}, on {device_text(report)}\n\n" + claims_of(report)
            + measured_of(report) + layer_types_text(report) + crossovers_of(report))


def with_sections(page, reports):
    """The page with a section for each report, in place of one with the same head."""
    for report in reports:
        section = section_of(report)
        head = section.split("\n", 2)[1]
        before, found, rest = page.partition("\n" + head + "\n")
        after = rest.partition("\n## ")
        page = before.rstrip("\n") + "\n" + section + "".join(after[1:])
    return page


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", choices=sorted(PROFILES))
    parser.add_argument("runs", nargs="*", help="run folders of presets of the system")
    parser.add_argument("--claims", type=pathlib.Path,
                        help="preset whose claims runs without their own are held against")
    parser.add_argument("--add", action="store_true",
                        help="keep the page, but for sections of the same preset and device")
    parser.add_argument("--cli", default="build/release/bin/quantscope-cli")
    parser.add_argument("--out", type=pathlib.Path, help="page to write; default: printed")
    options = parser.parse_intermixed_args()
    if options.out and not options.runs:
        text = with_presets(options.out.read_text(), options.system)
    else:
        old = options.out.read_text() if options.out and options.out.exists() else ""
        reports = [report_of(options.cli, run, options.claims) for run in options.runs]
        text = (with_sections(with_presets(old, options.system), reports)
                if options.add else page_of(options.system, reports, commands_of(old)))
    if options.out:
        options.out.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
