#!/usr/bin/env python3
"""Reads the golden tables with pandas.read_csv and no arguments, as people do.

Every column must come out as what it is: numbers as numbers, texts as texts, missing as missing, and the numbers
as the csv module and float() read them. Exits with 77 (skipped) where pandas is not installed.
"""
import csv
import math
import pathlib
import sys

try:
    import pandas
except ImportError:
    print("pandas is not installed")
    sys.exit(77)

TEXTS = {"cell", "label", "quantizer", "environment", "model", "device", "precision", "layers", "compile", "attention", "inputs", "status", "reason",
         "started_at_utc", "speed_baseline", "speed_verdict", "speed_leaning", "quality_reference",
         "quality_verdict", "work_unit", "noise_floor_result", "fp32_golden", "gates", "doubts", "discarded", "memory_self_test", "model_content", "currency", "executed", "attention_ran",
         "warmup_end", "stop_reason", "notes"}


def check(path):
    table = pandas.read_csv(path)
    with open(path, encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream, strict=True))
    assert len(table) == len(lines) > 0, path
    assert list(table.columns) == list(lines[0]), path
    for column in table.columns:
        written = [line[column] for line in lines]
        assert list(table[column].isna()) == [not text for text in written], f"{path}: {column}: missing values"
        if all(not text for text in written):
            continue
        if column in TEXTS:
            assert not pandas.api.types.is_numeric_dtype(table[column]), f"{path}: {column} is no text"
            assert [text for text in table[column].dropna()] == [text for text in written if text], f"{path}: {column}"
            continue
        assert pandas.api.types.is_numeric_dtype(table[column]), f"{path}: {column} is {table[column].dtype}"
        # The usual parser of pandas may be one unit in the last place off.
        for value, text in zip(table[column], written):
            right = math.isnan(value) if not text else math.isclose(value, float(text), rel_tol=1e-15)
            assert right, f"{path}: {column}: {value} is not {text}"
    print(f"{path.name}: {len(table)} lines, {len(table.columns)} columns")
    return table


folder = pathlib.Path(sys.argv[1])
cells, rows, samples = (check(folder / f"{name}.csv") for name in ("cells", "measurements", "samples"))
# What the tables are for: samples join their rows, rows their cells, and medians agree.
joined = samples.merge(rows, on=["cell", "environment", "round", "attempt"], validate="many_to_one",
                       suffixes=("", "_row"))
assert len(joined) == len(samples)
assert len(rows.merge(cells, on="cell", validate="many_to_one")) == len(rows)
medians = samples.groupby(["cell", "round", "attempt"])["device_seconds_per_pass"].median()
for key, row in rows.set_index(["cell", "round", "attempt"]).iterrows():
    if row["samples"] > 0:
        assert math.isclose(medians[key], row["seconds_per_pass_median"], rel_tol=1e-9), key
