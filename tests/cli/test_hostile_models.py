#!/usr/bin/env python3
"""Hostile models, made by hand: each is refused with the reason, quickly, in little memory; no process is started, no file is
written, nothing is loaded.

    test_hostile_models.py CLI [--memory-mib N] [--seconds S]

Every file is made from a small archive that opens. Limits are relative to what the program takes to refuse a path that is
not there, so that slow machines do not matter; N is the room beyond that, 0 leaves it out, S the processor time beyond it.
Where strace is, the system calls of each refusal are looked through.
"""
import argparse
import copy
import json
import os
import pathlib
import pickle
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

FORBIDDEN = "execve,execveat,fork,vfork,connect,bind,unlink,unlinkat,rename,renameat2,mkdir,mkdirat,symlink,ptrace"


class Entry:
    """What stands in a zip archive for one file, each field as it pleases."""

    def __init__(self, name, content, **changes):
        self.name, self.content = name.encode() if isinstance(name, str) else name, content
        self.crc, self.size, self.stored = zlib.crc32(content), len(content), len(content)
        self.method = self.flags = self.attributes = 0
        self.local_name = self.name
        self.local_size = self.local_stored = None
        self.extra = b""
        self.offset = None  # claimed by the directory
        self.signature = b"PK\x03\x04"
        for name, value in changes.items():
            setattr(self, name, value)


def deflated(name, content, **changes):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    return Entry(name, packed, **{"crc": zlib.crc32(content), "size": len(content), "stored": len(packed), "method": 8,
                                  **changes})


def zipped(entries, *, count=None, directory_size=None, directory_offset=None, comment=b"", tail=b"", head=b"",
           disk=0, end=b"PK\x05\x06", entry_signature=b"PK\x01\x02"):
    data, offsets = bytearray(head), []
    for each in entries:
        offsets.append(len(data))
        size = each.size if each.local_size is None else each.local_size
        stored = each.stored if each.local_stored is None else each.local_stored
        data += each.signature + struct.pack("<5H3I2H", 20, each.flags, each.method, 0, 0, each.crc, stored & 0xFFFFFFFF,
                                             size & 0xFFFFFFFF, len(each.local_name), 0)
        data += each.local_name + each.content
    start = len(data)
    for each, offset in zip(entries, offsets):
        place = offset if each.offset is None else each.offset
        made_by = 3 << 8 | 20 if each.attributes else 20
        data += entry_signature + struct.pack("<6H3I5H2I", made_by, 20, each.flags, each.method, 0, 0, each.crc,
                                              each.stored & 0xFFFFFFFF, each.size & 0xFFFFFFFF, len(each.name),
                                              len(each.extra), 0, 0, 0, each.attributes, place & 0xFFFFFFFF)
        data += each.name + each.extra
    size = len(data) - start if directory_size is None else directory_size
    number = len(entries) if count is None else count
    data += end + struct.pack("<4H2IH", disk, disk, number & 0xFFFF, number & 0xFFFF, size & 0xFFFFFFFF,
                              (start if directory_offset is None else directory_offset) & 0xFFFFFFFF, len(comment))
    return bytes(data) + comment + tail


def tensor(name):
    return {"as_tensor": {"name": name}}


def node(target, outputs, **inputs):
    return {"target": target, "inputs": [{"name": name, "arg": arg, "kind": 1} for name, arg in inputs.items()],
            "outputs": [tensor(each) for each in outputs], "metadata": {"nn_module_stack": "a,,M;b,layers.0.fc,M"}}


def value(dtype, *sizes):
    return {"dtype": dtype, "sizes": [each if isinstance(each, dict) else {"as_int": each} for each in sizes],
            "strides": [{"as_int": 1} for _ in sizes], "storage_offset": {"as_int": 0}, "layout": 7,
            "device": {"type": "cpu"}, "requires_grad": False}


SYMBOL = {"as_expr": {"expr_str": "Symbol('s0', positive=True, integer=True)", "hint": {"as_int": 2}}}


def program():
    graph = {"inputs": [tensor("w"), tensor("x")], "outputs": [tensor("y")],
             "nodes": [node("torch.ops.aten.linear.default", ["y"], input=tensor("x"), weight=tensor("w"))],
             "tensor_values": {"w": value(7, 4, 4), "x": value(7, SYMBOL, 4), "y": value(7, SYMBOL, 4)},
             "sym_int_values": {}}
    return {"schema_version": {"major": 8, "minor": 8}, "range_constraints": {"s0": {"min_val": 1, "max_val": 9}},
            "torch_version": "2.11.0",
            "graph_module": {"graph": graph, "signature": {
                "input_specs": [{"parameter": {"arg": {"name": "w"}, "parameter_name": "w"}},
                                {"user_input": {"arg": tensor("x")}}],
                "output_specs": [{"user_output": {"arg": tensor("y")}}]}}}


def weights():
    return {"config": {"w": {"path_name": "weight_0", "use_pickle": False, "is_param": True,
                             "tensor_meta": value(7, 4, 4) | {"strides": [{"as_int": 4}, {"as_int": 1}]}}}}


def entries(document=None, config=None, weight=bytes(64), more=()):
    """Those of the archive that opens, with some of them changed."""
    text = document if isinstance(document, bytes) else json.dumps(document or program()).encode()
    listed = config if isinstance(config, bytes) else json.dumps(config or weights()).encode()
    return [Entry("m/archive_format", b"pt2"), Entry("m/byteorder", b"little"), Entry("m/models/model.json", text),
            Entry("m/data/weights/model_weights_config.json", listed), Entry("m/data/weights/weight_0", weight),
            Entry("m/data/constants/model_constants_config.json", b'{"config": {}}'), *more]


def archive(**changes):
    return zipped(entries(**changes))


class Bomb:
    """What a pickle would run."""

    def __reduce__(self):
        return os.system, ("touch /tmp/quantscope_was_here",)


def changed(change):
    document = program()
    change(document["graph_module"]["graph"], document)
    return archive(document=document)


def changed_weights(change):
    config = weights()
    change(config["config"]["w"])
    return archive(config=config)


def with_operation(target, **inputs):
    return changed(lambda graph, _: graph["nodes"].insert(0, node(target, ["z"], **inputs)))


def sized(expression):
    return changed(lambda graph, _: graph["tensor_values"]["x"]["sizes"].__setitem__(
        0, {"as_expr": {"expr_str": expression, "hint": {"as_int": 2}}}))


def replaced(old, new, all_of=-1):
    text = json.dumps(program()).encode()
    assert old in text, old
    return archive(document=text.replace(old, new, all_of))


def second(entry):
    return zipped(entries(more=[entry]))


def zip_files():
    good = archive()
    plain = entries()
    yield "empty", b""
    for cut in (1, 4, 22, 30, len(good) // 2, len(good) - 23, len(good) - 1):
        yield f"cut_{cut}", good[:cut]
    yield "only_end", b"PK\x05\x06" + bytes(18)
    yield "trailing", good + b"x"
    yield "leading", b"x" + good
    yield "hidden_second_archive", good + good
    for name in ("../evil", "m/../../evil", "/etc/evil", "C:/evil", "m\\evil", "m/./evil", "m//evil", "m/\x00evil", "m/\nevil",
                 "", "m/" + "n" * 5000, b"m/\xff\xfe"):
        yield f"name_{str(name)[:12]!r}", second(Entry(name, b"x"))
    yield "twice", second(Entry("m/byteorder", b"little"))
    yield "case_collision", second(Entry("M/BYTEORDER", b"little"))
    yield "encrypted", second(Entry("m/x", b"x", flags=1))
    yield "symbolic_link", second(Entry("m/x", b"/etc/passwd", attributes=0o120777 << 16))
    yield "device_file", second(Entry("m/x", b"", attributes=0o020666 << 16))
    for method in (1, 9, 12, 14, 93, 99):
        yield f"method_{method}", second(Entry("m/x", b"x", method=method))
    yield "wrong_checksum", zipped([*plain[:2], Entry("m/models/model.json", plain[2].content, crc=1), *plain[3:]])
    yield "local_name_differs", second(Entry("m/x", b"x", local_name=b"m/y"))
    yield "local_size_differs", second(Entry("m/x", b"x", local_size=2))
    yield "local_stored_differs", second(Entry("m/x", b"x", local_stored=2 ** 31))
    yield "no_local_header", second(Entry("m/x", b"x", signature=b"PK\x03\x05"))
    yield "beyond_the_file", second(Entry("m/x", b"x", offset=2 ** 31))
    yield "overlapping", second(Entry("m/x", b"x", offset=0))
    yield "stored_larger_than_file", second(Entry("m/x", b"x", stored=2 ** 31, size=2 ** 31))
    yield "size_without_stored", second(Entry("m/x", b"x", size=2 ** 31))
    yield "zip64_lies", second(Entry("m/x", b"x", size=2 ** 32 - 1, stored=2 ** 32 - 1,
                                     extra=struct.pack("<HHQQ", 1, 16, 2 ** 62, 2 ** 62)))
    yield "zip64_short", second(Entry("m/x", b"x", size=2 ** 32 - 1, extra=struct.pack("<HH", 1, 0)))
    yield "deflate_bomb", zipped([*plain[:2], deflated("m/models/model.json", bytes(200 << 20)), *plain[3:]])
    yield "deflate_lies", zipped([*plain[:2], deflated("m/models/model.json", bytes(1 << 20), size=100), *plain[3:]])
    yield "deflate_noise", zipped([*plain[:2], Entry("m/models/model.json", b"\xff" * 50, method=8, size=2000), *plain[3:]])
    yield "deflated_weight", zipped([*plain[:4], deflated("m/data/weights/weight_0", bytes(64)), *plain[5:]])
    for count in (0, 1, 5, 7, 65535):
        yield f"count_{count}", zipped(plain, count=count)
    yield "directory_elsewhere", zipped(plain, directory_offset=0)
    yield "directory_beyond", zipped(plain, directory_offset=2 ** 31)
    yield "directory_short", zipped(plain, directory_size=10)
    yield "directory_long", zipped(plain, directory_size=2 ** 31)
    yield "several_disks", zipped(plain, disk=1)
    yield "wrong_directory_entry", zipped(plain, entry_signature=b"PK\x01\x03")
    yield "many_entries", zipped([Entry(f"m/{i}", b"") for i in range(60000)])


def archive_files():
    plain = entries()
    for i, each in enumerate(plain[:5]):
        if i != 1:
            yield f"without_{i}", zipped([*plain[:i], *plain[i + 1:]])
    yield "format", zipped([Entry("m/archive_format", b"pt3"), *plain[1:]])
    yield "long_format", zipped([Entry("m/archive_format", b"pt2" * 1000), *plain[1:]])
    yield "big_endian", zipped([plain[0], Entry("m/byteorder", b"big"), *plain[2:]])
    yield "pickled_program", zipped([Entry("m/serialized_exported_program.json", b"{}"), Entry("m/archive_format", b"pt2")])
    yield "pickled_weights", second(Entry("m/data/weights/model.pt", pickle.dumps(Bomb())))
    yield "compiled_package", second(Entry("m/data/aotinductor/model/x.so", b"\x7fELF"))
    yield "torch_pickle", zipped([Entry("archive/data.pkl", pickle.dumps(Bomb())), Entry("archive/version", b"3")])
    yield "torchscript", zipped([Entry("m/code/__torch__.py", b"import os"), Entry("m/data.pkl", pickle.dumps(Bomb())),
                                 Entry("m/constants.pkl", pickle.dumps(()))])
    yield "numpy_archive", zipped([Entry("a.npy", b"\x93NUMPY\x01\x00")])
    yield "plain_zip", zipped([Entry("readme.txt", b"hello")])
    yield "pickle", pickle.dumps(Bomb())
    yield "old_torch", pickle.dumps(0x1950A86A20F9469CFC6C, protocol=2) + pickle.dumps(Bomb())
    yield "elf", b"\x7fELF" + bytes(200)
    yield "gguf", b"GGUF" + struct.pack("<IQQ", 3, 2 ** 62, 2 ** 62)
    yield "hdf5", b"\x89HDF\r\n\x1a\n" + bytes(100)
    yield "script", b"#!/bin/sh\ntouch /tmp/quantscope_was_here\n"
    yield "zeros", bytes(4096)


def elf(machine=62, **changes):
    """The header of a library, each field as it pleases."""
    fields = {"magic": b"\x7fELF", "bits": 2, "order": 1, "kind": 3, "machine": machine, "segments_at": 64, "sections_at": 0,
              "segment": 56, "segments": 1, "section": 64, "sections": 0, **changes}
    f = fields
    return f["magic"] + struct.pack("<2B10x2HI3QI6H", f["bits"], f["order"], f["kind"], f["machine"], 1, 0, f["segments_at"],
                                    f["sections_at"], 0, 64, f["segment"], f["segments"], f["section"], f["sections"],
                                    0) + bytes(56)


def package(library=None, metadata=b'{"AOTI_DEVICE_KEY": "cpu"}', more=(), leave=()):
    """A package that would be looked at further, with some of it changed."""
    files = {"x.wrapper.so": elf() if library is None else library, "x.wrapper_metadata.json": metadata}
    inside = [Entry(f"m/data/aotinductor/model/{name}", content) for name, content in files.items() if name not in leave]
    return zipped([Entry("m/archive_format", b"pt2"), *inside, *more])


def package_files():
    inside = "m/data/aotinductor/model/"
    yield "not_tried", package()
    yield "source_only", package(leave=["x.wrapper.so"], more=[
        Entry(inside + "x.cpp", b"int main(){}"), Entry(inside + "x_compile_flags.json", b'{"compiler": "sh -c id"}')])
    yield "no_library", package(leave=["x.wrapper.so"])
    yield "two_libraries", package(more=[Entry(inside + "y.so", elf())])
    yield "two_models", package(more=[Entry("m/data/aotinductor/other/x.wrapper.so", elf())])
    yield "many_models", package(more=[Entry(f"m/data/aotinductor/{i}/x.so", b"") for i in range(5000)])
    yield "many_files", package(more=[Entry(f"{inside}{i}.cubin", b"") for i in range(5000)])
    yield "deeper", package(more=[Entry(inside + "a/b.cubin", b"x")])
    yield "no_model_name", package(more=[Entry("m/data/aotinductor/x.so", elf())])
    yield "packed_library", package(leave=["x.wrapper.so"], more=[deflated(inside + "x.wrapper.so", elf())])
    yield "packed_kernels", package(more=[deflated(inside + "x.cubin", bytes(1000))])
    yield "weights_beside", package(more=[Entry("m/data/weights/weight_0", bytes(64))])
    yield "leaves_upwards", package(more=[Entry(inside + "../../../x.so", elf())])
    for name, library in (
            ("empty", b""), ("short", elf()[:40]), ("script", b"#!/bin/sh\ntouch /tmp/quantscope_was_here\n" + bytes(60)),
            ("bits_32", elf(bits=1)), ("big_endian", elf(order=2)), ("other_machine", elf(machine=21)), ("program", elf(kind=2)),
            ("no_segments", elf(segments=0)), ("segments_beyond", elf(segments_at=2 ** 63)),
            ("many_segments", elf(segments=65535)), ("sections_beyond", elf(sections_at=2 ** 64 - 1, sections=9))):
        yield f"library_{name}", package(library)
    for name, metadata in (("missing", None), ("list", b"[]"), ("broken", b'{"AOTI_DEVICE_KEY": '), ("no_device", b"{}"),
                           ("number", b'{"AOTI_DEVICE_KEY": 1}'), ("other", b'{"AOTI_DEVICE_KEY": "xpu"}'),
                           ("long", b'{"AOTI_DEVICE_KEY": "' + b"x" * 60000 + b'"}'), ("huge", b" " * (1 << 17) + b"{}"),
                           ("deep", b"[" * 20000), ("escape", b'{"AOTI_DEVICE_KEY": "\x1b[2J"}')):
        yield f"words_{name}", package(metadata=metadata, leave=["x.wrapper_metadata.json"]) if metadata is None else package(
            metadata=metadata)


def weight_files():
    yield "pickle_flag", changed_weights(lambda w: w.update(use_pickle=True))
    yield "path_outside", changed_weights(lambda w: w.update(path_name="../models/model.json"))
    yield "path_absolute", changed_weights(lambda w: w.update(path_name="/etc/passwd"))
    yield "path_nowhere", changed_weights(lambda w: w.update(path_name="weight_7"))
    yield "path_number", changed_weights(lambda w: w.update(path_name=7))
    yield "negative_size", changed_weights(lambda w: w["tensor_meta"]["sizes"].__setitem__(0, {"as_int": -4}))
    yield "huge_size", changed_weights(lambda w: w["tensor_meta"]["sizes"].__setitem__(0, {"as_int": 2 ** 62}))
    yield "overflowing_size", changed_weights(
        lambda w: w["tensor_meta"].update(sizes=[{"as_int": 2 ** 33}, {"as_int": 2 ** 33}]))
    yield "size_of_symbol", changed_weights(lambda w: w["tensor_meta"]["sizes"].__setitem__(0, SYMBOL))
    yield "negative_stride", changed_weights(lambda w: w["tensor_meta"]["strides"].__setitem__(0, {"as_int": -1}))
    yield "huge_stride", changed_weights(lambda w: w["tensor_meta"]["strides"].__setitem__(0, {"as_int": 2 ** 62}))
    yield "offset_beyond", changed_weights(lambda w: w["tensor_meta"].update(storage_offset={"as_int": 2 ** 40}))
    yield "negative_offset", changed_weights(lambda w: w["tensor_meta"].update(storage_offset={"as_int": -1}))
    yield "unknown_type", changed_weights(lambda w: w["tensor_meta"].update(dtype=77))
    yield "sparse", changed_weights(lambda w: w["tensor_meta"].update(layout=1))
    yield "thousand_dimensions", changed_weights(
        lambda w: w["tensor_meta"].update(sizes=[{"as_int": 1}] * 1000, strides=[{"as_int": 1}] * 1000))
    yield "short_weight", archive(weight=bytes(60))
    yield "no_weight", archive(weight=b"")
    yield "config_is_list", archive(config=b'{"config": []}')
    yield "config_is_broken", archive(config=b'{"config": ')
    yield "config_twice", archive(config=b'{"config": {}, "config": {}}')
    yield "config_lacks_weight", archive(config=b'{"config": {}}')


def json_files():
    yield "not_json", archive(document=b"import os")
    yield "json_number", archive(document=b"3")
    yield "json_list", archive(document=b"[]")
    yield "json_deep", archive(document=b"[" * 100000 + b"]" * 100000)
    yield "json_deep_object", archive(document=b'{"a":' * 5000 + b"1" + b"}" * 5000)
    yield "json_nul", archive(document=b'{"a": "\x00"}')
    yield "json_utf8", archive(document=b'{"a": "\xff\xfe"}')
    yield "json_surrogate", archive(document=b'{"a": "\\ud800"}')
    yield "json_huge_number", replaced(b'"major": 8', b'"major": 1' + b"0" * 400)
    yield "json_fraction", changed(lambda graph, _: graph["tensor_values"]["x"]["sizes"].__setitem__(1, {"as_int": 4.5}))
    yield "json_nan", replaced(b'"as_int": 4', b'"as_int": NaN', 1)
    yield "json_twice", replaced(b'"torch_version"', b'"schema_version"')
    yield "json_long_text", replaced(b"2.11.0", b"2" * (3 << 20))
    yield "json_tail", archive(document=json.dumps(program()).encode() + b"{}")
    yield "no_graph", changed(lambda _, document: document.pop("graph_module"))
    yield "other_schema", changed(lambda _, document: document["schema_version"].update(major=99))
    for member in ("inputs", "outputs", "nodes", "tensor_values"):
        yield f"no_{member}", changed(lambda graph, _, m=member: graph.pop(m))
        yield f"{member}_text", changed(lambda graph, _, m=member: graph.update({m: "x"}))
    yield "no_signature", changed(lambda _, document: document["graph_module"].pop("signature"))
    yield "signature_names_nothing", changed(
        lambda _, document: document["graph_module"]["signature"]["input_specs"].pop())
    yield "output_of_nothing", replaced(b'"user_output": {"arg": {"as_tensor": {"name": "y"}}}',
                                        b'"user_output": {"arg": {"as_tensor": {"name": "nothing"}}}')
    yield "undefined_input", changed(lambda graph, _: graph["nodes"][0]["inputs"][0]["arg"]["as_tensor"].update(name="q"))
    yield "defined_later", changed(lambda graph, _: graph["nodes"].append(
        node("torch.ops.aten.relu.default", ["x2"], self=tensor("x3"))))
    yield "foreign_argument", changed(lambda graph, _: graph["nodes"][0]["inputs"][0].update(
        arg={"as_custom_obj": {"name": "x", "class_fqn": "os"}}))
    yield "argument_of_two_kinds", changed(lambda graph, _: graph["nodes"][0]["inputs"][0].update(
        arg={"as_int": 1, "as_float": 2.0}))
    yield "shapes_that_do_not_fit", changed(lambda graph, _: graph["tensor_values"]["x"]["sizes"].__setitem__(
        1, {"as_int": 5}))
    yield "result_of_another_shape", changed(lambda graph, _: graph["tensor_values"]["y"]["sizes"].__setitem__(
        1, {"as_int": 5}))
    yield "complex_input", changed(lambda graph, _: graph["tensor_values"]["x"].update(dtype=10))


def operation_files():
    for target in ("torch.ops.aten.from_file.default", "torch.ops.aten.special_i0.default", "torch.ops.aten.nonzero.default",
                   "torch.ops.prim.device.default", "torch.ops.higher_order.map_impl", "torch.ops.evil.shell.default",
                   "os.system", "builtins.eval", "__import__", "", "torch.ops.aten.linear", "torch.ops.aten.save.default",
                   "_operator.__import__", "math.exec"):
        yield f"operation_{target[-12:]}", with_operation(target, self=tensor("x"), filename={"as_string": "/etc/passwd"})
    yield "full_of_memory", with_operation("torch.ops.aten.full.default", size={"as_ints": [2 ** 40, 2 ** 40]},
                                           fill_value={"as_float": 0.0})
    yield "negative_view", with_operation("torch.ops.aten.view.default", self=tensor("x"), size={"as_ints": [-5, -5]})
    yield "no_dimension", with_operation("torch.ops.aten.softmax.int", self=tensor("x"), dim={"as_int": 40})
    yield "division_by_zero", changed(lambda graph, _: graph["nodes"].insert(0, {
        "target": "_operator.floordiv", "outputs": [{"as_sym_int": {"as_name": "n"}}], "metadata": {},
        "inputs": [{"name": "", "arg": {"as_int": 1}, "kind": 1}, {"name": "", "arg": {"as_int": 0}, "kind": 1}]}))
    yield "power_of_powers", changed(lambda graph, _: graph["nodes"].insert(0, {
        "target": "_operator.pow", "outputs": [{"as_sym_int": {"as_name": "n"}}], "metadata": {},
        "inputs": [{"name": "", "arg": {"as_int": 9}, "kind": 1}, {"name": "", "arg": {"as_int": 10 ** 9}, "kind": 1}]}))


def size_files():
    for name, expression in (("code", "__import__('os').system('id')"), ("call", "Symbol('s0').subs(1)"), ("empty", ""),
                             ("unknown", "Gamma(Symbol('s0'))"),
                             ("tower", "Pow(Integer(9), Pow(Integer(9), Integer(9)))"), ("open", "Add(Integer(1),"),
                             ("division", "FloorDiv(Integer(1), Integer(0))"), ("huge", "Integer(" + "9" * 400 + ")"),
                             ("deep", "Add(Integer(1), " * 3000 + "Integer(1)" + ")" * 3000), ("tail", "Integer(2) + 1"),
                             ("long", "Add(" + "Integer(1), " * 200000 + "Integer(1))"), ("negative", "Integer(-3)")):
        yield f"size_{name}", sized(expression)
    yield "range_turned", changed(lambda _, document: document["range_constraints"]["s0"].update(min_val=9, max_val=1))
    yield "range_text", changed(lambda _, document: document["range_constraints"]["s0"].update(min_val="x"))


def hostile():
    for kind, files in (("zip", zip_files), ("archive", archive_files), ("package", package_files), ("weights", weight_files), ("json", json_files),
                        ("operation", operation_files), ("size", size_files)):
        for name, content in files():
            yield f"{kind}_{name}", content


def measured(command, folder):
    """Exit code, what it said, seconds of processor, largest memory in MiB."""
    with open(folder / "said", "wb") as said:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, cwd=folder / "cwd",
                                 env={**os.environ, "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp")})
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    text = (folder / "said").read_text(errors="replace")
    return child.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def files_below(*folders):
    return sorted(str(each) for folder in folders for each in folder.rglob("*"))


def traced(cli, file, folder):
    """The system calls that nobody who looks at a file makes; empty without strace."""
    log = folder / "trace"
    watched = f"{FORBIDDEN},clone,clone3,openat,open,creat"
    subprocess.run(["strace", "-f", "-qq", "-o", log, "-e", f"trace={watched}", cli, "inspect", file], check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder / "cwd",
                   env={**os.environ, "HOME": str(folder / "home")})
    calls = []
    for number, line in enumerate(log.read_text(errors="replace").splitlines()):
        call = re.sub(r"^\d+ +", "", line)
        writes = re.match(r"(openat|open|creat)\(.*O_(WRONLY|RDWR|CREAT)", call) and "/dev/null" not in call
        thread = "CLONE_THREAD" in call
        started = re.match(r"(execve|clone|clone3|fork|vfork)", call) and number > 0 and not thread
        other = re.match(rf"({'|'.join(FORBIDDEN.split(',')[4:])})\(", call)
        library = re.match(r"openat\(", call) and re.search(r"libtorch|libc10|libpython", call)
        if writes or started or other or library:
            calls.append(call)
    return calls


def main():
    options = argparse.ArgumentParser()
    options.add_argument("cli", type=pathlib.Path)
    options.add_argument("--memory-mib", type=int, default=64)
    options.add_argument("--seconds", type=float, default=0.2)
    options = options.parse_args()
    cli, problems, count = options.cli.resolve(), [], 0
    tracer = shutil.which("strace") if options.memory_mib else None  # sanitizers start threads of their own
    if tracer and subprocess.run([tracer, "-o", "/dev/null", "true"], check=False, capture_output=True).returncode != 0:
        tracer = None  # not allowed here
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for each in ("cwd", "home", "tmp", "files"):
            (folder / each).mkdir()
        good = folder / "files" / "good.pt2"
        good.write_bytes(archive())
        code, said, _, _ = measured([cli, "inspect", good], folder)
        assert code == 0, f"the archive that all are made from: {said}"
        starts = [measured([cli, "inspect", folder / "files" / "nowhere.pt2"], folder)[2:] for _ in range(3)]
        seconds, memory = min(each[0] for each in starts), max(each[1] for each in starts)
        before = files_below(folder / "cwd", folder / "home", folder / "tmp")
        for number, (label, content) in enumerate(hostile()):
            file = folder / "files" / f"{number}.{'pt' if number % 3 == 2 else 'pt2'}"
            file.write_bytes(content)
            code, said, took, room = measured([cli, "inspect", file], folder)
            again = took
            if took > seconds * 10 + options.seconds:  # something else may have run beside it
                again = measured([cli, "inspect", file], folder)[2]
            if code == 0:
                problems.append(f"{label}: was opened")
            elif code < 0 or code > 6:
                problems.append(f"{label}: ended with {code}: {said[-300:]}")
            elif str(file.name) not in said or len(said) > 20000:
                problems.append(f"{label}: no reason that names it: {said[:300]!r}")
            if min(took, again) > seconds * 10 + options.seconds:
                problems.append(f"{label}: {took:.3f} s, {seconds:.3f} s without a file")
            if options.memory_mib and room > memory + options.memory_mib:
                problems.append(f"{label}: {room:.0f} MiB, {memory:.0f} MiB without a file")
            if tracer:
                problems += [f"{label}: {call}" for call in traced(cli, file, folder)[:3]]
            file.unlink()
            count += 1
        after = files_below(folder / "cwd", folder / "home", folder / "tmp")
    if after != before:
        problems.append(f"files were written: {sorted(set(after) - set(before))[:5]}")
    if pathlib.Path("/tmp/quantscope_was_here").exists():
        problems.append("code of a file was run")
    print(f"{count} files{', traced' if tracer else ''}; {seconds * 1000:.0f} ms and {memory:.0f} MiB without a file")
    assert count >= 120, count
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
