#include "core/lower/fused/pass_report.h"

#include "core/lower/fused/matrix_product.h"
#include "core/lower/fused/product_groups.h"
#include "core/lower/region_writer.h"

#include <map>
#include <string_view>
#include <utility>

namespace qs::core {

namespace {

// "aten::linear" -> "linear".
std::string wordOf(const Node& node)
{
    const std::string_view name = node.operation->name;
    const auto colon = name.rfind(':');
    return std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
}

Unfused whyUnfused(const Graph& graph, const Node& node)
{
    const auto call = productCall(graph, node);
    if (!call)
        return Unfused::No;
    if (!multipliesMatrices(graph, node))
        return Unfused::Shape;
    return elementBytes(call->type) > 1 && call->m > kFewRows ? Unfused::Library : Unfused::Layout;
}

PassEntry entryOf(const RegionProgram& program, std::size_t index)
{
    PassEntry entry{.module = program.module, .program = index};
    for (const Node& node : program.graph.nodes) {
        if (!isView(node))
            entry.operations.push_back(wordOf(node));
    }
    return entry;
}

}  // namespace

std::vector<PassEntry> passReport(const RegionStage& stage)
{
    std::vector<PassEntry> entries;
    for (std::size_t i = 0; i < stage.programs.size(); ++i)
        entries.push_back(entryOf(stage.programs[i], i));
    std::map<std::pair<std::string, Unfused>, std::size_t> beside;
    std::size_t call = 0;
    for (const Node& node : stage.graph.nodes) {
        if (node.operation->name == kQsRegion) {
            ++entries[stage.programOf[call++]].calls;
            continue;
        }
        if (isView(node))
            continue;
        const Unfused why = whyUnfused(stage.graph, node);
        const auto [found, isNew] = beside.emplace(std::pair(wordOf(node), why), entries.size());
        if (isNew)
            entries.push_back({.module = node.module, .operations = {wordOf(node)}, .why = why});
        ++entries[found->second].calls;
    }
    return entries;
}

}  // namespace qs::core
