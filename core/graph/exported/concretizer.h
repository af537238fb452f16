#pragma once

#include "core/graph/builder.h"
#include "core/graph/exported/concrete_graph.h"
#include "core/graph/exported/number_operations.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace qs::core::exported {

// A node of a program with its arguments as the graph has them.
struct ConcreteCall {
    std::vector<NamedArgument> arguments;
    // Of arguments that are the transpose of a weight: the weight itself; see Concretizer::resolve.
    std::map<std::string, ValueId> transposed = {};
    std::set<std::string> repeated = {};  // those of them that are repeated for each sample

    [[nodiscard]] const Argument* find(std::string_view name) const;
    [[nodiscard]] ValueId tensor(std::string_view name) const;  // -1 if it is none
    [[nodiscard]] std::optional<Number> number(std::string_view name) const;
    [[nodiscard]] std::int64_t whole(std::string_view name, std::int64_t fallback) const;
    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] std::vector<std::int64_t> list(std::string_view name) const;
    void remove(std::string_view name);
    void set(std::string_view name, Argument value);
};

// Writes the graph of a program for one set of sizes, node by node; see Note [Concrete graphs].
class Concretizer final
{
public:
    // `written`: the graph's inputs that the program writes to, which are copied first.
    Concretizer(const ConcreteRequest& request, std::set<std::string> written);

    [[nodiscard]] Result<Graph> run();
    // Inputs that were found to be written to without being copied.
    [[nodiscard]] const std::set<std::string>& newlyWritten() const { return m_newlyWritten; }

    // For the forms of operations, core/graph/exported/operation_forms.h.
    [[nodiscard]] GraphBuilder& builder() { return m_builder; }
    // With `keepTransposed`, transposed weights are not written out but named in the call.
    [[nodiscard]] Result<ConcreteCall> resolve(const ProgramNode& node,
                                               bool keepTransposed = false);
    // Writes an operation of the catalogue, of one type and without devices.
    [[nodiscard]] std::vector<ValueId> emit(const std::string& operation, ConcreteCall call);
    // A tensor without dimensions.
    [[nodiscard]] ValueId numberTensor(const Number& number);
    // The values are the results of the node, in their order.
    void bind(const ProgramNode& node, const std::vector<ValueId>& values);
    void bind(const ProgramNode& node, const Number& number);
    // Of an operation of the catalogue that is written for it.
    [[nodiscard]] Status bindCall(const ProgramNode& node, const std::string& operation,
                                  ConcreteCall call);
    // The weight that a tensor of the program is, where its transpose is not written out yet.
    // With `copies`, that many of it, one behind the other, none of which is made.
    void bindTransposed(const ProgramNode& node, ValueId weight, std::int64_t copies = 0);
    // As the program's own nodes are.
    [[nodiscard]] Status inlineGraph(const ProgramGraph& graph,
                                     const std::vector<ProgramArgument>& operands,
                                     const ProgramNode& node);
    // The same of a region with or without autocast. With it, what works in a lower type takes its
    // inputs in the type that the program states for the result; without it, nothing is rewritten
    // and the working type waits outside.
    [[nodiscard]] Status inlineRegion(const ProgramGraph& graph,
                                      const std::vector<ProgramArgument>& operands,
                                      const ProgramNode& node, bool autocast);
    [[nodiscard]] std::optional<Number> numberOf(const ProgramArgument& argument) const;
    [[nodiscard]] bool isWeight(ValueId value) const;

private:
    struct Transposed {
        ValueId weight = -1;
        std::int64_t copies = 0;  // 0: of two dimensions
    };
    using Bound = std::variant<ValueId, Number, Transposed>;
    using Scope = std::unordered_map<std::string, Bound>;

    [[nodiscard]] const Bound* lookUp(const std::string& name) const;
    [[nodiscard]] Result<ValueId> tensorNamed(const std::string& name);
    [[nodiscard]] Result<Argument> argument(const ProgramArgument& value);
    [[nodiscard]] Status bindInputs();
    [[nodiscard]] Status bindInput(const ProgramInput& input, const ProgramGraph& graph);
    [[nodiscard]] Status runNodes(const ProgramGraph& graph);
    [[nodiscard]] Status runNode(const ProgramNode& node);
    [[nodiscard]] Status runNumbers(const ProgramNode& node);
    [[nodiscard]] Status checkResults(const ProgramNode& node, const ProgramGraph& graph);
    [[nodiscard]] Status writeOutputs();
    // Results of an exact region, as the outside has them.
    void castResults(const ProgramGraph& graph, const ProgramNode& node);
    void autocastInputs(const Operation& operation, ConcreteCall& call);
    // The type that is stated for a tensor, with the working type for that of the export.
    [[nodiscard]] std::optional<DType> statedType(const ProgramGraph& graph,
                                                  const std::string& name) const;
    [[nodiscard]] bool isExact(ValueId value) const { return m_exact.contains(value); }
    // Casts what is exact where it meets an activation, and turns the export's type into the
    // working type. Whether the results are exact.
    bool unifyTypes(const Operation& operation, ConcreteCall& call);
    void noteAliases(const Operation& operation, const ConcreteCall& call,
                     const std::vector<ValueId>& results);

    const ConcreteRequest& m_request;
    DType m_workingType;
    bool m_autocast = false;
    std::optional<DType> m_resultType;  // stated for the node that is written, under autocast
    std::set<std::string> m_written;
    std::set<std::string> m_newlyWritten;
    GraphBuilder m_builder;
    std::vector<Scope> m_scopes;
    std::set<ValueId> m_exact;
    std::map<ValueId, std::string> m_origins;  // inputs of the program that a value may share
    std::set<ValueId> m_placeholders;          // inputs and weights themselves
    std::set<ValueId> m_weights;
    std::map<std::string, ValueId> m_weightsByName;
    std::size_t m_numbers = 0;
};

}  // namespace qs::core::exported
