#include "core/lower/fused/pass_report.h"

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

std::vector<PassEntry> passReport(const RegionStage& stage, const ProductChip& chip)
{
    std::vector<PassEntry> entries;
    for (std::size_t i = 0; i < stage.programs.size(); ++i)
        entries.push_back(entryOf(stage.programs[i], i));
    std::map<std::pair<std::string, Unfused>, std::size_t> beside;
    const GraphUses uses(stage.graph);
    std::size_t call = 0;
    for (std::size_t i = 0; i < stage.graph.nodes.size(); ++i) {
        const Node& node = stage.graph.nodes[i];
        if (node.operation->name == kQsRegion) {
            ++entries[stage.programOf[call++]].calls;
            continue;
        }
        if (isView(node))
            continue;
        const Unfused why = whyUnfused(uses, i, chip);
        const auto [found, isNew] = beside.emplace(std::pair(wordOf(node), why), entries.size());
        if (isNew)
            entries.push_back({.module = node.module, .operations = {wordOf(node)}, .why = why});
        ++entries[found->second].calls;
    }
    return entries;
}

}  // namespace qs::core
