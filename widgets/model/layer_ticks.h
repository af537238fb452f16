#pragma once

#include "widgets/model/layer_tree.h"

#include <Qt>

#include <set>
#include <string>

namespace qs::widgets {

// The linear layers of a tree that a person chose. Those that the recipe meets, until the person
// ticks others.
class LayerTicks final
{
public:
    // As the recipe of the tree has them.
    void follow(const LayerTree& tree);
    // The layer, or all layers below.
    void tick(const LayerNode& node, bool ticked);

    // Of a stage or block partly where some of its layers are; of what holds no linear layer never.
    [[nodiscard]] Qt::CheckState stateOf(const LayerNode& node) const;
    [[nodiscard]] bool empty() const { return m_ticked.empty(); }
    // Whether the recipe meets these layers and no others.
    [[nodiscard]] bool areThoseOf(const LayerTree& tree) const;
    // The layer filter that meets them and no others, see core/quant/layer_filter.h: one for all
    // stages where their layers have names of their own, else one for each.
    [[nodiscard]] std::string filter(const LayerTree& tree) const;
    // The compile mode that makes each of them a region: a module, up to a whole block, of which
    // all layers are ticked, or a layer alone. One for all stages or one for each, as for filters.
    [[nodiscard]] std::string regions(const LayerTree& tree) const;

private:
    struct Count {
        int linear = 0;
        int ticked = 0;
    };
    [[nodiscard]] Count countOf(const LayerNode& node) const;
    [[nodiscard]] std::set<std::string> wholeModules(const LayerNode& stage) const;

    std::set<std::string> m_ticked;  // see keyOf()
};

}  // namespace qs::widgets
