"""What a compiled program multiplies with, read from the C++ that Inductor wrote."""

import collections
import re
import zipfile

# What PyTorch calls, or what is in the name of a kernel that Inductor made of a template -> what a program has. A linear
# layer is mm or addmm with its weight turned.
PRODUCTS = {"_int_mm": "aten::_int_mm", "_scaled_mm": "aten::_scaled_mm", "baddbmm": "aten::matmul", "bmm": "aten::matmul",
            "addmm": "aten::linear", "mm": "aten::linear", "convolution": "aten::conv2d",
            "_scaled_dot_product": "aten::scaled_dot_product_attention"}
CALL = re.compile(r"\b(?:aoti_torch_(?:cpu|cuda)_|call_triton_tem_fused_)(\w+)\((.*)")
BUFFER = re.compile(r"\b(buf\d+)(?!_handle|\d)")
MADE = re.compile(r"cached_torch_dtype_(\w+), .*&(buf\d+)_handle")
REUSED = re.compile(r"auto (buf\d+) = .*?\b(buf\d+)\b")
RESULT = re.compile(r"&(buf\d+)_handle")
CONSTANT = re.compile(r"auto& (\w+) = constants_->at\((\d+)\)")
CONSTANT_NAME = re.compile(r'constants_info_\[(\d+)\]\.original_fqn = "(.*)"')
INPUT = re.compile(r"auto (\w+) = std::move\(inputs\[(\d+)\]\)")
WORD = re.compile(r"\b[A-Za-z_]\w*")


def operand_names(text):
    """What variables of the program hold: names of weights, and inputs as "#" and their place."""
    names = dict(CONSTANT_NAME.findall(text))
    held = {variable: names[place] for variable, place in CONSTANT.findall(text) if place in names}
    return held | {variable: "#" + place for variable, place in INPUT.findall(text)}


def products(package):
    """What the compiled program multiplies with in one pass, from the text of its calls: it has no branches.

    A list of {operation, type, count}. The type is that of the result; of attention that of the query; of integers that
    of their sums, also where the same kernel goes on with them and leaves another type. `operands`: weights and inputs
    that the calls read as they are."""
    with zipfile.ZipFile(package) as archive:
        text = "".join(archive.read(name).decode() for name in archive.namelist() if name.endswith(".wrapper.cpp"))
    types, counts, operands, names = {}, collections.Counter(), collections.defaultdict(list), operand_names(text)
    for line in text.splitlines():
        if found := MADE.search(line):
            types[found[2]] = found[1]
        elif found := REUSED.search(line):
            types[found[1]] = types.get(found[2])
        if not (found := CALL.search(line)) or line.lstrip().startswith(("void", "static", "AOTI_TORCH_EXPORT")):
            continue
        buffers = BUFFER.findall(found[2])
        kind = next((PRODUCTS[part] for part in PRODUCTS if part in found[1]), None)
        if not buffers:
            continue
        of = types.get(buffers[-1] if "call_triton" in line else buffers[0])
        for result in RESULT.findall(line):
            types.setdefault(result, of)
        if kind:
            product = kind, "int32" if kind == "aten::_int_mm" else of
            counts[product] += 1
            operands[product] += [names[word] for word in WORD.findall(found[2]) if word in names]
    return [{"operation": kind, "type": each, "count": count, "operands": operands[kind, each]}
            for (kind, each), count in counts.items() if each]
