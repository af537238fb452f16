#include "core/graph/exported/operation_forms.h"

#include "core/graph/exported/concrete_graph.h"
#include "core/graph/exported/number_operations.h"
#include "core/graph/operation.h"

#include <algorithm>
#include <array>
#include <map>

namespace qs::core::exported {

namespace {

constexpr std::string_view kAten = "torch.ops.aten.";

// The sizes of what they give are known when they have run.
constexpr std::array kDataDependent{"item",
                                    "_local_scalar_dense",
                                    "nonzero",
                                    "nonzero_numpy",
                                    "unique",
                                    "unique2",
                                    "_unique2",
                                    "unique_dim",
                                    "unique_consecutive",
                                    "masked_select",
                                    "bincount"};

bool isDataDependent(std::string_view target)
{
    if (!target.starts_with(kAten))
        return false;
    const std::string_view name = target.substr(kAten.size());
    return std::find(kDataDependent.begin(), kDataDependent.end(),
                     name.substr(0, name.find('.'))) != kDataDependent.end();
}

bool isSupported(const ProgramNode& node)
{
    if (isNumberOperation(node.target) || findForm(node.target) != nullptr)
        return true;
    return findOperation(catalogueName(node.target)) != nullptr;
}

void collect(const ProgramGraph& graph, std::map<std::string, UnsupportedOperation>& found)
{
    for (const ProgramNode& node : graph.nodes) {
        for (const NamedProgramArgument& each : node.arguments) {
            if (const auto* inner = std::get_if<std::shared_ptr<const ProgramGraph>>(&each.value))
                collect(**inner, found);
        }
        if (isSupported(node))
            continue;
        UnsupportedOperation& entry = found[node.target];
        if (entry.calls++ == 0)
            entry = {node.target, node.module, 1, isDataDependent(node.target)};
    }
}

}  // namespace

OperationForm findForm(std::string_view target)
{
    for (const FormTable* table :
         {&programForms(), &layerForms(), &tensorForms(), &composedForms()}) {
        const auto found = table->find(target);
        if (found != table->end())
            return found->second;
    }
    return nullptr;
}

std::string catalogueName(std::string_view target)
{
    if (!target.starts_with(kAten))
        return {};
    const std::string name = "aten::" + std::string(target.substr(kAten.size()));
    constexpr std::string_view kDefault = ".default";
    return name.ends_with(kDefault) ? name.substr(0, name.size() - kDefault.size()) : name;
}

std::vector<UnsupportedOperation> unsupportedOperations(const ProgramGraph& graph)
{
    std::map<std::string, UnsupportedOperation> found;
    collect(graph, found);
    std::vector<UnsupportedOperation> all;
    for (auto& [target, operation] : found)
        all.push_back(std::move(operation));
    return all;
}

}  // namespace qs::core::exported
