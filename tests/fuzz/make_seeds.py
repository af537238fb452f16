#!/usr/bin/env python3
"""Writes the seeds of the fuzzers into tests/fuzz/corpus; findings lie beside them and are left alone.

    python3 tests/fuzz/make_seeds.py
"""
import json
import pathlib
import struct
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


if __name__ == "__main__":
    main()
