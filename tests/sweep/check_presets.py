#!/usr/bin/env python3
"""Holds presets/sweep.schema.json against the shipped presets and the damaged ones.

Every shipped preset must fit, every damaged one must not, except for damage that a schema cannot describe.
Knows the part of JSON Schema that the file needs, so that nothing has to be installed; where the package jsonschema
is there, too, both have to say the same.
"""
import json
import pathlib
import re
import sys

# Damage of meaning: two members together, or a range that counts the wrong way.
BEYOND_A_SCHEMA = {"control_character", "gate_unknown", "gate_without_unit", "limits_crossed", "link_to_nothing", "link_twice", "links_unequal",
                   "range_backwards", "range_too_long", "stage_empty"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
ANNOTATIONS = {"title", "description", "default", "examples", "$schema", "$defs", "$ref"}


def is_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def misfits(value, schema, root):
    """Why `value` does not fit; the keywords are those of draft 2020-12."""
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        yield from misfits(value, target, root)
    for keyword, wanted in schema.items():
        yield from misfit(value, keyword, wanted, schema, root)


def misfit(value, keyword, wanted, schema, root):
    is_object, is_list, is_text = isinstance(value, dict), isinstance(value, list), isinstance(value, str)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    same_kind = isinstance(value, bool) == isinstance(wanted, bool)
    if keyword == "properties":
        for name in wanted.keys() & value.keys() if is_object else ():
            yield from (f"{name}: {why}" for why in misfits(value[name], wanted[name], root))
    elif keyword == "additionalProperties" and wanted is not False:
        for name in value.keys() - schema.get("properties", {}).keys() if is_object else ():
            yield from (f"{name}: {why}" for why in misfits(value[name], wanted, root))
    elif keyword == "items":
        for index, item in enumerate(value if is_list else ()):
            yield from (f"[{index}]: {why}" for why in misfits(item, wanted, root))
    elif keyword == "allOf":
        for part in wanted:
            yield from misfits(value, part, root)
    else:
        broken = {
            "type": lambda: not is_type(value, wanted),
            "const": lambda: not (value == wanted and same_kind),
            "enum": lambda: value not in wanted,
            "required": lambda: is_object and not set(wanted) <= value.keys(),
            "additionalProperties": lambda: is_object and not value.keys() <= schema["properties"].keys(),
            "minProperties": lambda: is_object and len(value) < wanted,
            "maxProperties": lambda: is_object and len(value) > wanted,
            "minItems": lambda: is_list and len(value) < wanted,
            "maxItems": lambda: is_list and len(value) > wanted,
            "uniqueItems": lambda: is_list and len({json.dumps(item) for item in value}) < len(value),
            "minLength": lambda: is_text and len(value) < wanted,
            "maxLength": lambda: is_text and len(value) > wanted,
            "pattern": lambda: is_text and not re.search(wanted, value),
            "minimum": lambda: is_number and value < wanted,
            "maximum": lambda: is_number and value > wanted,
            "anyOf": lambda: all(any(misfits(value, part, root)) for part in wanted),
        }
        if keyword in broken and broken[keyword]():
            yield f"{keyword} {json.dumps(wanted)[:80]}: {json.dumps(value)[:80]}"
        elif keyword not in broken and keyword not in ANNOTATIONS:
            raise ValueError(f"the schema uses {keyword}, which this checker does not know")


def make_checkers(schema):
    """By name, what complains of a document."""
    checkers = {"own checker": lambda value: list(misfits(value, schema, schema))}
    try:
        import jsonschema
    except ImportError:
        return checkers
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    checkers["jsonschema"] = lambda value: [error.message for error in validator.iter_errors(value)]
    return checkers


def without_duplicates(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)


def read(path):
    def refuse(text):
        raise ValueError(f"{text} is not finite")

    def finite(text):
        return float(text) if abs(float(text)) != float("inf") else refuse(text)

    return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=without_duplicates,
                      parse_constant=refuse, parse_float=finite)


def problems(root, check):
    shipped = sorted(path for path in (root / "presets").rglob("*.json") if path.name != "sweep.schema.json")
    damaged = sorted((root / "tests/broken/presets").glob("*.json"))
    if not shipped or not damaged:
        yield "no presets found"
    for path in shipped:
        yield from (f"{path}: {why}" for why in check(read(path)))
    for path in damaged:
        try:
            complaints = check(read(path))
        except ValueError:
            complaints = ["not JSON"]
        if bool(complaints) == (path.stem in BEYOND_A_SCHEMA):
            yield f"{path}: {'complains: ' + complaints[0] if complaints else 'the schema accepts it'}"


def main():
    root = pathlib.Path(sys.argv[1])
    schema = read(root / "presets/sweep.schema.json")
    checkers = make_checkers(schema)
    found = [f"{problem} ({name})" for name, check in checkers.items() for problem in problems(root, check)]
    print("\n".join(found) or f"presets and schema agree ({', '.join(checkers)})")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
