#!/usr/bin/env python3
"""Writes the help page of a source system from runs of its presets: what its document claims, and
what was measured.

    packaging/claims_page.py resnet_precision --cli build/bin/quantscope-cli \\
        --out resources/help/12_resnet_precision.md RUN [RUN ...]

Without runs the page keeps its figures, and has its presets as they are now. With --add it keeps
those of other runs.

Every figure comes from the reports of the runs (quantscope-cli report --json); nothing is typed
in. Run it again with other runs to replace the page. A run whose preset has no claims of its own
is held against those of --claims PRESET, which have to be about its model.
"""

import argparse
import json
import pathlib
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
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([cli, "report", with_claims(run, preset, folder), "--json", "--out",
                               folder], capture_output=True, text=True, check=False)
        file = pathlib.Path(folder) / "report.json"
        if not file.exists():
            sys.exit(f"{run}: {done.stderr.strip() or 'no report was written'}")
        return json.loads(file.read_text())


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
                return f"{value / size:.4g} {name}"
    return f"{value:.4g}" + (f" {unit}" if unit else "")


def measured_text(claim, labels):
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
            values[gate["expect"].split()[0]] = text
        parts += [f"{labels[cell['cell']]}: {metric.replace('_', ' ')} {text}"
                  for metric, text in values.items()]
    return "; ".join(parts) if parts else "–"


def claims_of(report):
    if all(claim["result"] == "not testable" for claim in report["claims"]):
        return "None of the claims can be tested with this run.\n"
    labels = {cell["cell"]: cell["label"] for cell in report["cells"]}
    lines = []
    for claim in report["claims"]:
        lines.append([claim["claim"], claim["source"], measured_text(claim, labels),
                      claim["result"]])
    return table(["Claimed", "Where", "Measured here (95 % interval)", "Result"], lines)


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
    most = cell.get("compile_cost", {}).get("seconds_are_upper_limits", False)
    return ("≤ " if most else "") + seconds_text(cell["metrics"].get("cold_compile_seconds"))


def measured_of(report):
    """Every cell of the sweep with its time, beside the one that speed-ups are formed with.

    Of runs on a GPU: quick presets are there to be tried, their times on a processor are no result.
    """
    if all(cell["configuration"]["device"] == "cpu" for cell in report["plan"]["cells"]):
        return ""
    labels = {cell["cell"]: cell["label"] for cell in report["cells"]}
    swept = {cell["id"] for cell in report["plan"]["cells"] if cell["role"] == "swept"}
    lines = []
    for cell in report["cells"]:
        seconds = cell["metrics"].get("seconds_per_pass")
        if seconds is not None and cell["cell"] in swept:
            lines.append([cell["label"], seconds_text(seconds), speed_text(cell, labels),
                          cold_text(cell)])
    if not lines or len(lines) > MOST_CELLS:
        return ""
    quantizes = any(cell["configuration"].get("workload") == "quantize"
                    for cell in report["plan"]["cells"] if cell["role"] == "swept")
    of = "loading, calibrating and quantizing the model once" if quantizes else "a pass"
    return (f"\nTimes of {of}:\n\n" +
            table(["Cell", "Time", "Times as fast (95 % interval)", "Compile, cold"], lines))


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


def with_presets(page, system):
    """The page with the list of presets as they are now."""
    before, head, rest = page.partition(PRESETS_HEAD)
    old, end, after = rest.partition(PRESETS_END)
    if not head or not end:
        sys.exit(f"{system}: the page has no list of presets")
    return before + head + presets_of(system) + end + after


def page_of(system, reports):
    title, profile = PROFILES[system]
    text = (f"# {title}\n\nThe presets of this document, what it claims, and what runs of them "
            "measured. This page is made from the rows of the runs by "
            "`packaging/claims_page.py`; a claim is *confirmed* or *contradicted* where the whole "
            "interval says so.\n\n")
    text += PRESETS_HEAD + presets_of(system)
    text += (f"{PRESETS_END} → Export for…*, or `quantscope-cli report RUN --profile {profile} --out "
             "FOLDER`, writes the files of the document's own script.\n")
    return text + "".join(section_of(report) for report in reports)


def section_of(report):
    name = report["plan"]["preset"]["name"]
    return (f"\n## {name}, on {device_text(report)}\n\n" + claims_of(report)
            + measured_of(report) + crossovers_of(report))


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
    options = parser.parse_args()
    if options.out and not options.runs:
        text = with_presets(options.out.read_text(), options.system)
    else:
        reports = [report_of(options.cli, run, options.claims) for run in options.runs]
        text = (with_sections(with_presets(options.out.read_text(), options.system), reports)
                if options.add else page_of(options.system, reports))
    if options.out:
        options.out.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
