#include "widgets/model/layer_ticks.h"

#include "core/base/text_parts.h"
#include "core/graph/regions.h"
#include "core/lower/compile_mode.h"
#include "core/quant/layer_pattern.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace qs::widgets {

namespace {

// Stages may have modules of one name.
std::string keyOf(const LayerNode& layer)
{
    return layer.stage + '/' + layer.path;
}

void forEachLinear(const LayerNode& node, const std::function<void(const LayerNode&)>& told)
{
    if (node.isLinear())
        told(node);
    for (const LayerNode& child : node.children)
        forEachLinear(child, told);
}

std::string filterOf(const std::vector<std::string>& modules)
{
    // Every name has a character: nothing is left.
    return modules.empty() ? "all -regex:." : "only:" + core::layerPatternsText(modules);
}

std::string compileOf(const std::set<std::string>& modules)
{
    if (modules.empty())
        return core::eagerMode().text();
    const std::string text = core::layerPatternsText({modules.begin(), modules.end()});
    return core::regionsAt(core::splitOutsideBraces(text, ','));
}

// Whether the stage has layers of a module that is not among its own.
bool hasOthers(const LayerNode& stage, const std::set<std::string>& own,
               const std::set<std::string>& all)
{
    bool found = false;
    forEachLinear(stage, [&](const LayerNode& layer) {
        for (const std::string& module : all)
            found = found || (!own.contains(module) && core::liesIn(layer.path, module));
    });
    return found;
}

}  // namespace

void LayerTicks::follow(const LayerTree& tree)
{
    m_ticked.clear();
    for (const LayerNode& stage : tree.stages) {
        forEachLinear(stage, [this](const LayerNode& layer) {
            if (layer.matchedLayers == 1)
                m_ticked.insert(keyOf(layer));
        });
    }
}

void LayerTicks::tick(const LayerNode& node, bool ticked)
{
    forEachLinear(node, [this, ticked](const LayerNode& layer) {
        if (ticked)
            m_ticked.insert(keyOf(layer));
        else
            m_ticked.erase(keyOf(layer));
    });
}

LayerTicks::Count LayerTicks::countOf(const LayerNode& node) const
{
    Count count;
    forEachLinear(node, [&](const LayerNode& layer) {
        ++count.linear;
        count.ticked += m_ticked.contains(keyOf(layer)) ? 1 : 0;
    });
    return count;
}

Qt::CheckState LayerTicks::stateOf(const LayerNode& node) const
{
    const Count count = countOf(node);
    if (count.ticked == 0)
        return Qt::Unchecked;
    return count.ticked == count.linear ? Qt::Checked : Qt::PartiallyChecked;
}

bool LayerTicks::areThoseOf(const LayerTree& tree) const
{
    LayerTicks recipe;
    recipe.follow(tree);
    return recipe.m_ticked == m_ticked;
}

std::string LayerTicks::filter(const LayerTree& tree) const
{
    std::set<std::string> chosen;
    std::set<std::string> left;
    std::string perStage;
    for (const LayerNode& stage : tree.stages) {
        std::vector<std::string> modules;
        forEachLinear(stage, [&](const LayerNode& layer) {
            const bool ticked = m_ticked.contains(keyOf(layer));
            (ticked ? chosen : left).insert(layer.path);
            if (ticked)
                modules.push_back(layer.path);
        });
        perStage += (&stage == &tree.stages.front() ? "" : "/") + filterOf(modules);
    }
    for (const std::string& path : chosen) {
        if (left.contains(path))
            return perStage;
    }
    // A name that two stages have is one pattern.
    return filterOf({chosen.begin(), chosen.end()});
}

std::set<std::string> LayerTicks::wholeModules(const LayerNode& stage) const
{
    std::set<std::string> modules;
    for (const LayerNode& top : stage.children) {
        const auto allTicked = [&](const std::string& module) {
            bool all = true;
            forEachLinear(top, [&](const LayerNode& layer) {
                all = all && (!core::liesIn(layer.path, module) || m_ticked.contains(keyOf(layer)));
            });
            return all;
        };
        forEachLinear(top, [&](const LayerNode& layer) {
            std::size_t end = top.path.size();
            while (!allTicked(layer.path.substr(0, end)) && end < layer.path.size())
                end = std::min(layer.path.find('.', end + 1), layer.path.size());
            if (m_ticked.contains(keyOf(layer)))
                modules.insert(layer.path.substr(0, end));
        });
    }
    return modules;
}

std::string LayerTicks::regions(const LayerTree& tree) const
{
    std::vector<std::set<std::string>> own;
    std::set<std::string> all;
    for (const LayerNode& stage : tree.stages) {
        own.push_back(wholeModules(stage));
        all.insert(own.back().begin(), own.back().end());
    }
    std::string perStage;
    bool differ = false;
    for (std::size_t i = 0; i < own.size(); ++i) {
        perStage += (i == 0 ? "" : "/") + compileOf(own[i]);
        differ = differ || hasOthers(tree.stages[i], own[i], all);
    }
    return differ ? perStage : compileOf(all);
}

}  // namespace qs::widgets
