#!/usr/bin/env python3
"""Writes the seeds of the fuzzers into tests/fuzz/corpus; findings lie beside them and are left alone.

    python3 tests/fuzz/make_seeds.py
"""
import io
import json
import pathlib
import struct
import zipfile
import zlib

CORPUS = pathlib.Path(__file__).parent / "corpus"


def put(entry, name, data):
    file = CORPUS / entry / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data if isinstance(data, bytes) else data.encode())


def safetensors(header, data=b""):
    text = header if isinstance(header, str) else json.dumps(header, separators=(",", ":"), ensure_ascii=False)
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw + data


def frame(payload):
    raw = payload.encode()
    return b"QSF1" + struct.pack("<II", len(raw), zlib.crc32(raw)) + raw


def line(record):
    raw = json.dumps(record, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()
    return b"%d %08x %s\n" % (len(raw), zlib.crc32(raw), raw)


def zipped(entries, method=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return file.getvalue()


def named(name, **argument):
    return {"name": name, "arg": argument}


def tensor_meta(*sizes):
    return {"dtype": 7, "sizes": list(sizes), "strides": [{"as_int": 1}] * len(sizes), "storage_offset": {"as_int": 0}, "layout": 7}


def program(nodes):
    """Input x [s0, 4], parameter w [4, 4]."""
    batch = {"as_expr": {"expr_str": SYMBOL, "hint": {"as_int": 2}}}
    x, w, y = ({"as_tensor": {"name": each}} for each in "xwy")
    graph = {"inputs": [w, x], "outputs": [y], "nodes": nodes, "tensor_values": {"x": tensor_meta(batch, {"as_int": 4})}}
    signature = {"input_specs": [{"parameter": {"arg": {"name": "w"}, "parameter_name": "w"}}, {"user_input": {"arg": x}}],
                 "output_specs": [{"user_output": {"arg": y}}]}
    return json.dumps({"schema_version": {"major": 8}, "range_constraints": {"s0": {"min_val": 1, "max_val": 9}},
                       "graph_module": {"graph": graph, "signature": signature}}, separators=(",", ":"))


def node(name, inputs, *outputs):
    return {"target": name if "." in name and not name[0].isalpha() else f"torch.ops.aten.{name}", "inputs": inputs,
            "outputs": [{"as_sym_int": {"as_name": each}} if each == "n" else {"as_tensor": {"name": each}} for each in outputs],
            "metadata": {"nn_module_stack": "a,,M;b,layers.0.fc,M"}}


def tokenizer(pattern):
    cutting = {"type": "ByteLevel", "add_prefix_space": True} if pattern is None else \
        {"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": True},
                                               {"type": "Digits", "individual_digits": True}]}
    return json.dumps({"model": {"type": "BPE", "vocab": {"a": 0, "aa": 1, "\u0120": 2, "t": 3, "s": 4, "\u0120a": 5, "4": 6},
                                 "merges": ["a a", ["\u0120", "a"]]}, "pre_tokenizer": cutting, "normalizer": {"type": "NFC"} if pattern else None,
                       "added_tokens": [{"id": 7, "content": "<s>", "lstrip": True, "rstrip": True, "single_word": True}],
                       "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}],
                                          "special_tokens": {"<s>": {"ids": [7]}}}})


SYMBOL = "Symbol('s0', positive=True, integer=True)"
X = {"as_tensor": {"name": "x"}}
NODES = [
    node("sym_size.int", [named("self", **X), named("dim", as_int=0)], "n"),
    node("_operator.mul", [named("", as_sym_int={"as_name": "n"}), named("", as_int=4)], "n"),
    node("view.default", [named("self", **X), named("size", as_sym_ints=[{"as_name": "n"}, {"as_int": 1}])], "v"),
    node("t.default", [named("self", as_tensor={"name": "w"})], "t"),
    node("mm.default", [named("self", **X), named("mat2", as_tensor={"name": "t"})], "m"),
    node("relu_.default", [named("self", as_tensor={"name": "m"})], "r"),
    node("chunk.default", [named("self", as_tensor={"name": "r"}), named("chunks", as_int=2), named("dim", as_int=1)], "a", "b"),
    node("cat.default", [named("tensors", as_tensors=[{"name": "a"}, {"name": "b"}]), named("dim", as_int=-1)], "y"),
]


def x(name):
    return {"as_tensor": {"name": name}}


# Operations that are written by several others.
FORMS = {
    "einsum": [node("einsum.default", [named("equation", as_string="bi,oi->ob"), named("tensors", as_tensors=[
        {"name": "x"}, {"name": "w"}])], "y")],
    "repeated_weight": [
        node("t.default", [named("self", **x("w"))], "t"),
        node("expand.default", [named("self", **x("t")), named("size", as_ints=[1, 4, 4])], "e"),
        node("unsqueeze.default", [named("self", **X), named("dim", as_int=0)], "u"),
        node("bmm.default", [named("self", **x("u")), named("mat2", **x("e"))], "y")],
    "eye": [node("eye.m", [named("n", as_int=2), named("m", as_int=4)], "e"),
            node("pow.Scalar", [named("self", as_float=2.5), named("exponent", **x("e"))], "p"),
            node("add.Tensor", [named("self", **x("p")), named("other", **X)], "y")],
}


def npy(shape, kind, data, version=1):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header + data


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


MESSAGES = {
    "hello": {"protocol_version": 1, "worker_version": "0.1", "pid": 7, "torch_version": "2.11.0", "cuda_version": ""},
    "run_cell": {"request_id": 1, "cell": {"batch": 4, "precision": ["bf16"]}},
    "heartbeat": {"progress_counter": 3, "phase": "measure", "phase_fraction": 0.5},
    "phase_changed": {"phase": "load"},
    "cell_finished": {"request_id": 1, "result": {"a": [1, 2.5, None]}},
    "cell_failed": {"request_id": 1, "failure": {"kind": "out_of_memory", "phase": "load", "detail": "größe", "amount": 0.0,
                                                   "foreign_processes": [{"name": "a", "pid": 7, "bytes": 1}]}},
    "describe": {},
    "device_list": {"devices": []},
    "shutdown": {},
}


def main():
    put("safetensors", "empty", safetensors("{}      "))
    put("safetensors", "two", safetensors({"__metadata__": {"format": "pt"}, "a": tensor("F32", [2, 1], 0, 8),
                                           "größe": tensor("U8", [], 8, 9)}, b"012345678"))
    put("safetensors", "packed", safetensors({"f4": tensor("F4", [2, 3], 0, 3), "none": tensor("BF16", [0], 0, 0)}, b"abc"))
    put("safetensors", "overlap", safetensors({"a": tensor("U8", [2], 0, 2), "b": tensor("U8", [2], 1, 3)}, b"abc"))
    put("safetensors", "escaped", safetensors('{"\\u0061":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}', bytes(8)))
    texts = {name: json.dumps({"type": name, **members}, ensure_ascii=False) for name, members in MESSAGES.items()}
    for name, text in texts.items():
        put("messages", name, text)
    put("frames", "one", b"\x00" + frame(texts["describe"]))
    put("frames", "all", b"\x09" + b"".join(frame(text) for text in texts.values()))
    put("frames", "empty_payload", b"\x01" + frame("") + frame("{}"))
    put("frames", "huge_claim", b"\x40QSF1\xff\xff\xff\xff\x00\x00\x00\x00{}")
    header = line({"format": "quantscope-journal", "schema_version": 1})
    put("journal", "header", header)
    put("journal", "rows", header + line({"type": "row", "n": 1}) + line({"type": "event", "text": "a\nb"}))
    put("journal", "torn", header + line({"n": 1}) + line({"n": 2})[:-4])
    put("journal", "damaged", header + line({"n": 1}).replace(b":1", b":2") + line({"n": 3}))
    put("journal", "future", line({"format": "quantscope-journal", "schema_version": 2}))
    put("journal_records", "row", json.dumps({"type": "row", "samples": [0.1, 2e-7, -0.0], "none": None}))
    put("journal_records", "text", '"\\u00e9\\ud83d\\ude42\\n"')
    put("journal_records", "numbers", "[18446744073709551615,-9223372036854775808,1e308,5e-324]")
    put("json", "preset", json.dumps({"schema_version": 1, "axes": {"batch": "1..64 pow2"}, "rounds": 5}))
    put("json", "nested", "[" * 20 + "1" + "]" * 20)
    put("json", "escapes", '{"a\\u0000b":"\\ud83d\\ude42","c":[true,false,null,-1.5e3]}')
    put("json", "twins", '{"a":1,"a":2}')
    put("exported_program", "network", program(NODES))
    put("exported_program", "in_place", program([node("add_.Tensor", [named("self", **X), named("other", as_float="-Infinity")], "y")]))
    put("exported_program", "nested", program([node("*.x", [], "q")]).replace(
        "*.x", "torch.ops.higher_order.wrap_with_set_grad_enabled").replace(
        '"inputs":[]', '"inputs":[{"name":"","arg":{"as_bool":false}},{"name":"","arg":{"as_graph":{"name":"g","graph":'
        '{"inputs":[{"as_tensor":{"name":"i"}}],"outputs":[{"as_tensor":{"name":"i"}}],"nodes":[],"tensor_values":{}}}}},'
        '{"name":"","arg":{"as_tensor":{"name":"x"}}}]').replace('"q"', '"y"'))
    for name, nodes in FORMS.items():
        put("exported_program", name, program(nodes))
    put("exported_program", "autocast", program([node("*.x", [], "y")]).replace(
        "*.x", "torch.ops.higher_order.wrap_with_autocast").replace(
        '"inputs":[]', '"inputs":[{"name":"","arg":{"as_string":"cpu"}},{"name":"","arg":{"as_scalar_type":13}},{"name":"","arg":'
        '{"as_bool":false}},{"name":"","arg":{"as_bool":true}},{"name":"","arg":{"as_graph":{"name":"g","graph":{"inputs":'
        '[{"as_tensor":{"name":"i"}}],"outputs":[{"as_tensor":{"name":"o"}}],"nodes":[{"target":"torch.ops.aten.exp.default",'
        '"inputs":[{"name":"self","arg":{"as_tensor":{"name":"i"}}}],"outputs":[{"as_tensor":{"name":"o"}}],"metadata":{}}],'
        '"tensor_values":{}}}}},{"name":"","arg":{"as_tensor":{"name":"x"}}}]'))
    for name, shape, kind, data in (("floats", "(2, 3)", "<f4", bytes(24)), ("halves", "(3,)", "<f2", bytes(6)),
                                    ("scalar", "()", "<i8", bytes(8)), ("flags", "(0, 5)", "|b1", b""),
                                    ("unsigned", "(1,)", "<u8", b"\xff" * 8), ("objects", "(1,)", "|O", b"cos\nsystem\n.")):
        put("npy", name, npy(shape, kind, data))
    put("npy", "version_3", npy("(2,)", "<i4", bytes(8), 3))
    for name, text in {"images": "images:range=0..255:mean=0.485,0.456,0.406:std=0.229,0.224,0.225:channels=bgr:layout=nhwc",
                       "normal": "normal:mean=-1e3:std=0.5", "uniform": "uniform:range=-2..2",
                       "file": "file:a/b.safetensors#x", "wrong": "images:range=nan..inf:mean=,:std=0"}.items():
        put("input_feed", name, text)
    for name, pattern in {"gpt2": None, "split": r"(?i:'s|'T)|[^\r\n\p{L}\p{N}]?\p{Lu}+|\p{N}{1,3}|\s+(?!\S)|a*+b?",
                          "nested": "(?:(?:a|aa)*(?>b{2,5}|(?=c)))+"}.items():
        put("tokenizer", name, tokenizer(pattern))
    for name, text in {"symbol": SYMBOL, "affine": f"Add(Mul(Integer(2), {SYMBOL}), Integer(-1))",
                       "floor": f"FloorDiv(Max({SYMBOL}, Integer(3)), Mod({SYMBOL}, Integer(5)))",
                       "tower": "Pow(Integer(9), Pow(Integer(9), Integer(9)))", "code": "__import__('os').system('true')"}.items():
        put("size_expression", name, text)
    weights = {"config": {"w": {"path_name": "weight_0", "use_pickle": False, "is_param": True,
                                "tensor_meta": tensor_meta({"as_int": 4}, {"as_int": 4})}}}
    archive = {"m/models/model.json": program(NODES), "m/data/weights/model_weights_config.json": json.dumps(weights),
               "m/data/weights/weight_0": bytes(64), "m/data/constants/model_constants_config.json": '{"config":{}}',
               "m/archive_format": "pt2", "m/byteorder": "little"}
    put("zip", "exported", zipped(archive))
    put("zip", "deflated", zipped({"a/b": b"text" * 100, "c": b""}, zipfile.ZIP_DEFLATED))
    library = b"\x7fELF\2\1" + bytes(10) + struct.pack("<2HI3QI6H", 3, 62, 1, 0, 64, 0, 0, 64, 56, 1, 64, 0, 0) + bytes(56)
    inside = "m/data/aotinductor/model/"
    package = {inside + "x.wrapper.so": library, inside + "x.cubin": b"kernel", inside + "x.wrapper.cpp": b"int main() {}",
               inside + "x.wrapper_metadata.json": '{"AOTI_DEVICE_KEY": "cuda", "AOTI_COMPUTE_CAPABILITY": "90"}'}
    put("package", "cuda", zipped(package))
    put("package", "cpu", zipped({**package, inside + "x.wrapper_metadata.json": '{"AOTI_DEVICE_KEY": "cpu"}'}))
    put("package", "source", zipped({name: text for name, text in package.items() if not name.endswith(".so")}))
    put("package", "two_models", zipped({**package, "m/data/aotinductor/other/y.so": library}))
    put("zip", "empty", zipped({}))
    put("zip", "slip", zipped({"../a": b"x"}))
    put("zip", "two_archives", zipped({"a": b"x"}) * 2)


if __name__ == "__main__":
    main()
