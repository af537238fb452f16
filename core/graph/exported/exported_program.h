#pragma once

#include "core/graph/exported/size_expression.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

// A program of torch.export as it is written (torch/_export/serde/schema.py): names, sizes with
// symbols, nested graphs, arithmetic on sizes. What is run is made of it for given sizes, see
// core/graph/exported/concrete_graph.h.
namespace qs::core::exported {

struct ProgramGraph;

struct TensorName {
    std::string name;
    bool operator==(const TensorName&) const = default;
};
// A number that another node makes.
struct NumberName {
    std::string name;
    bool operator==(const NumberName&) const = default;
};
struct MemoryFormat {
    std::int64_t number = 0;  // of the schema's enumeration
    bool operator==(const MemoryFormat&) const = default;
};
struct ScalarType {
    std::int64_t number = 0;
    bool operator==(const ScalarType&) const = default;
};
// Device and layout: where a tensor lies is decided by who runs the program.
struct Placement {
    bool operator==(const Placement&) const = default;
};
// A kind of argument that no program of ours has: "as_custom_obj".
struct ForeignArgument {
    std::string kind;
    bool operator==(const ForeignArgument&) const = default;
};
// Empty names are None.
using TensorNames = std::vector<std::string>;
using Whole = std::variant<std::int64_t, NumberName>;

using ProgramArgument =
    std::variant<std::monostate, TensorName, TensorNames, bool, std::int64_t, double, std::string,
                 std::vector<std::int64_t>, std::vector<double>, std::vector<Whole>, NumberName,
                 ScalarType, MemoryFormat, Placement, ForeignArgument,
                 std::shared_ptr<const ProgramGraph>>;

struct NamedProgramArgument {
    std::string name;  // as in the schema of the operation; empty where it has none
    ProgramArgument value;
};

struct ProgramNode {
    std::string target;  // "torch.ops.aten.linear.default"
    std::vector<NamedProgramArgument> arguments;
    std::vector<std::string> outputs;  // names of tensors or numbers; empty: None
    std::string module;                // "layers.0.attention.q"
    bool returnsList = false;          // the results are one list of tensors

    [[nodiscard]] const ProgramArgument* find(std::string_view argument) const;
};

struct TensorDescription {
    std::int64_t scalarType = 0;
    std::vector<SizeExpression> sizes;
};

struct ProgramGraph {
    std::vector<std::string> inputs;
    std::vector<ProgramArgument> outputs;
    std::vector<ProgramNode> nodes;
    std::unordered_map<std::string, TensorDescription> tensors;
    // What the numbers are that nodes make. Written for others: here they are computed anew.
    std::map<std::string, SizeExpression> numbers = {};
};

enum class InputRole { User, Parameter, Buffer, Constant, UserConstant };

// One argument of the graph and what is put there.
struct ProgramInput {
    InputRole role = InputRole::User;
    std::string name;    // in the graph
    std::string target;  // of a parameter, buffer or constant: its name in the module
    bool persistent = true;
};

struct ProgramOutput {
    bool user = false;  // else the new content of a buffer
    ProgramArgument value;
};

struct SymbolRange {
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
};

struct ExportedProgram {
    ProgramGraph graph;
    std::vector<ProgramInput> inputs;
    std::vector<ProgramOutput> outputs;
    std::map<std::string, SymbolRange> ranges;
    SymbolValues examples;  // sizes that the export was made with
    std::string torchVersion;
};

}  // namespace qs::core::exported
