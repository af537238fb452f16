#!/usr/bin/env python3
"""Makes run folders of any size, to look at how reading, reports and the window grow with them.

    make_large_run.py FOLDER --cells 10000 --rounds 10
    make_large_run.py FOLDER --cells 100 --rounds 1000

Rows are those of a shipped example with other times and fewer samples; nothing was measured.
"""

import argparse
import copy
import gzip
import hashlib
import itertools
import json
import pathlib
import random
import sys
import zlib

TEMPLATE = pathlib.Path(__file__).resolve().parents[2] / "resources/example_runs/demo_h200"
PER_SAMPLE = ["host_s", "device_s", "sample_start_s"]


def line_of(record):
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return b"%d %08x %s\n" % (len(text), zlib.crc32(text), text)


def records_of(folder):
    for line in gzip.decompress((folder / "journal.jsonl.gz").read_bytes()).splitlines():
        yield json.loads(line.split(b" ", 2)[2])


def configurations(template, count):
    """As many configurations as asked for: those of the template at more batches and seeds."""
    cells = {}
    for cell in template["cells"]:
        config = cell["configuration"]
        cells.setdefault((config["precision"], config["compile"]), cell)
    kinds = [cell for cell in cells.values() if cell["rerun"] == 0]
    seeds = itertools.count(1)
    while True:
        seed = next(seeds)
        for batch in range(1, 257):
            for cell in kinds:
                if count == 0:
                    return
                count -= 1
                cell = copy.deepcopy(cell)
                cell["configuration"]["batch"] = batch
                cell["configuration"]["seed"] = seed
                yield cell


def likeness_of(options):
    """What a worker of this computer can run; small images too, as the disk must have room for the outputs of all."""
    if not options.like:
        return {}
    theirs = json.loads((options.like / "plan.json").read_text())["cells"][0]["configuration"]
    return {name: theirs[name] for name in ("model", "device", "image_size")}


def plan_of(template, options):
    plan = copy.deepcopy(template)
    plan["cells"] = list(configurations(template, options.cells))
    plan["preset"]["rounds"] = options.rounds
    plan["preset"]["name"] = "%d cells in %d rounds" % (options.cells, options.rounds)
    references = {}
    like = likeness_of(options)
    if like:
        plan["preset"]["pictures"]["count"] = 2
    for cell in plan["cells"]:
        config = cell["configuration"]
        config.update(like)
        if like:
            cell["output_values"] = 3 * config["image_size"] ** 2
        cell["id"] = hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()
        if (config["precision"], config["compile"]) == ("bf16", "none"):
            references[config["batch"], config["seed"]] = cell["id"]
    for cell in plan["cells"]:
        config = cell["configuration"]
        cell["reference_id"] = references.get((config["batch"], config["seed"]), cell["id"])
    return plan


def shortened(row, samples):
    result = row["result"]
    for name in PER_SAMPLE:
        result[name] = result.get(name, [])[:samples]
    for stage in result["stages"]:
        stage["seconds"] = stage["seconds"][:samples]
    result["warmup_s"] = result["warmup_s"][-2:]
    result["discards"] = []
    trace = result.get("trace", {})
    for name, values in trace.items():
        if isinstance(values, list):
            trace[name] = values[:4]
    return row


def row_of(template, cell, round_, options, noise):
    """Shares with the template what is the same, as deep copies of a hundred thousand rows take their time."""
    config, result = cell["configuration"], dict(template["result"])
    factor = noise.gauss(1.0, 0.01) * config["batch"] / template["config"]["batch"]
    for name in ["host_s", "device_s"]:
        result[name] = [s * factor * noise.gauss(1.0, 0.003) for s in result[name]]
    result["stages"] = [dict(stage, seconds=[s * factor for s in stage["seconds"]]) for stage in result["stages"]]
    if round_ > 0 or options.like:
        result["outputs"] = {name: list_ for name, list_ in result["outputs"].items() if name != "files"}
    return dict(template, cell=cell["id"], config=config, round=round_ + 1, attempt=1, result=result)


def rows_of(plan, rows, options, noise):
    for round_ in range(options.rounds):
        order = list(plan["cells"])
        noise.shuffle(order)
        for cell in order:
            config = cell["configuration"]
            yield row_of(rows[config["precision"], config["compile"]], cell, round_, options, noise)


def qualities_of(plan, quality, options, noise):
    for cell in plan["cells"]:
        if cell["id"] == cell["reference_id"]:
            continue
        pictures = range(options.pictures)
        figures = {name: [values[0]] * options.pictures for name, values in quality["figures"].items()}
        figures["ssim"] = [1.0 - abs(noise.gauss(0.002, 0.0005)) for _ in pictures]
        yield {"type": "quality", "cell": cell["id"], "reference": cell["reference_id"],
               "environment": quality["environment"], "samples": list(pictures),
               "identical": [False] * options.pictures, "figures": figures}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cells", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--samples", type=int, default=10, help="of each row")
    parser.add_argument("--pictures", type=int, default=1, help="that were compared, of each cell")
    parser.add_argument("--like", type=pathlib.Path,
                        help="a run of this computer: rows are of its environment, so that the run can be gone on with")
    parser.add_argument("--missing", type=int, default=0, help="rows that are still to be measured")
    options = parser.parse_args()
    if options.folder.exists():
        sys.exit("%s exists" % options.folder)
    noise = random.Random(1)
    template = json.loads((TEMPLATE / "plan.json").read_text())
    plan = plan_of(template, options)
    rows, quality, environment = {}, None, None
    for record in records_of(TEMPLATE):
        if record.get("type") == "row" and "failure" not in record:
            config = record["config"]
            rows.setdefault((config["precision"], config["compile"]),
                            shortened(record, options.samples))
            environment = record["environment"]
        elif record.get("type") == "quality" and record["reference"] != "input":
            quality = record
    like = options.like or TEMPLATE
    if options.like:
        environment = [record for record in records_of(like) if record.get("type") == "row"][-1]["environment"]
    for row in rows.values():
        row["environment"] = environment
    quality["environment"] = environment
    (options.folder / "inputs").mkdir(parents=True)
    (options.folder / "cells").mkdir()
    (options.folder / "plan.json").write_text(json.dumps(plan, indent=1) + "\n")
    (options.folder / "environment.json").write_bytes((like / "environment.json").read_bytes())
    left = options.cells * options.rounds - options.missing
    with open(options.folder / "journal.jsonl", "wb") as journal:
        journal.write(line_of({"format": "quantscope-journal", "schema_version": 1}))
        for row in itertools.islice(rows_of(plan, rows, options, noise), left):
            journal.write(line_of(dict(row, type="row")))
        for record in qualities_of(plan, quality, options, noise):
            journal.write(line_of(record))


if __name__ == "__main__":
    main()
