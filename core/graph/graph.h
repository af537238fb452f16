#pragma once

#include "core/base/result.h"
#include "core/graph/dtype.h"
#include "core/graph/operation.h"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace qs::core {

struct TensorType {
    DType dtype = DType::Float32;
    std::vector<std::int64_t> shape;

    bool operator==(const TensorType&) const = default;
    [[nodiscard]] std::int64_t elementCount() const;
    [[nodiscard]] std::int64_t bytes() const { return elementCount() * byteSize(dtype); }
};

// "bfloat16[2, 256, 1024]"
[[nodiscard]] std::string toText(const TensorType& type);

// Index into Graph::values.
using ValueId = std::int32_t;

enum class ValueKind {
    Input,
    Weight,    // found by name among the weights of the model
    State,     // a mutable tensor that outlives one run, e.g. a KV cache
    Constant,  // small, part of the graph itself
    Intermediate,
};

struct Value {
    std::string name;
    TensorType type;
    ValueKind kind = ValueKind::Intermediate;
};

struct ValueRef {
    ValueId id = -1;
    bool operator==(const ValueRef&) const = default;
};

// std::monostate is None. ValueRefs is a list of tensors, as aten::cat takes it; -1 in it is None,
// as aten::index takes it.
using ValueRefs = std::vector<ValueRef>;
using Argument = std::variant<std::monostate, ValueRef, ValueRefs, bool, std::int64_t, double,
                              std::string, std::vector<std::int64_t>, std::vector<double>, DType>;

struct NamedArgument {
    std::string name;
    Argument value;
};

// One operation. Arguments carry the names of the ATen schema; those left out keep their default.
struct Node {
    const Operation* operation = nullptr;
    std::vector<NamedArgument> arguments;
    std::vector<ValueId> outputs;
    std::string module;  // dotted path of the module it belongs to: "decoder_blocks.3.ffn.fc1"

    [[nodiscard]] const Argument* find(std::string_view argument) const;
    // The tensor passed under that name, or -1.
    [[nodiscard]] ValueId tensor(std::string_view argument) const;
    // All tensors it reads, in argument order; without those that are None.
    [[nodiscard]] std::vector<ValueId> inputs() const;
};

// An ordered list of operations: the order is the order of execution, so that mutations keep their
// place.
struct Graph {
    std::vector<Value> values;
    std::vector<Node> nodes;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    // Contents of the Constant values, row-major; exact in double for every type used.
    std::map<ValueId, std::vector<double>> constants;
    // See initialValue(); states that are not listed begin as 0.
    std::map<ValueId, double> initialValues;
    bool allowTf32 = false;  // its float32 products may run in TF32; decided by lowering

    [[nodiscard]] const Value& value(ValueId id) const;
    // -1 if there is none of that name.
    [[nodiscard]] ValueId findValue(std::string_view name) const;
    // What a state begins as, throughout.
    [[nodiscard]] double initialValue(ValueId state) const;
};

// Every value is defined before it is used, every operation is in the catalogue, and constants have
// their content.
[[nodiscard]] Status validate(const Graph& graph);

// One line per operation, for people and for tests.
[[nodiscard]] std::string toText(const Graph& graph);

}  // namespace qs::core
