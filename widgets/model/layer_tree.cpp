#include "widgets/model/layer_tree.h"

#include "core/graph/cost.h"
#include "core/quant/rest_of_model.h"

#include <algorithm>
#include <map>

namespace qs::widgets {

namespace {

bool isNumber(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](char letter) { return letter >= '0' && letter <= '9'; });
}

// Length of "decoder_blocks.3" in "decoder_blocks.3.ffn.fc1": up to the first part that is a
// number. 0 outside blocks.
std::size_t blockLength(std::string_view path)
{
    std::size_t start = 0;
    while (start < path.size()) {
        const std::size_t end = std::min(path.find('.', start), path.size());
        if (start > 0 && isNumber(path.substr(start, end - start)))
            return end;
        start = end + 1;
    }
    return 0;
}

// The modules of one stage, each once, in the order in which they first appear.
class Stage final
{
public:
    explicit Stage(LayerNode& stage) : m_stage(stage) {}

    LayerNode& module(const std::string& path)
    {
        const auto known = m_places.find(path);
        if (known != m_places.end())
            return at(known->second);
        const std::size_t length = blockLength(path);
        std::vector<LayerNode>* siblings = &m_stage.children;
        Place place{m_stage.children.size(), kNone};
        std::string name = path;
        if (length > 0) {
            const std::string block = path.substr(0, length);
            const auto [found, fresh] = m_blocks.try_emplace(block, m_stage.children.size());
            if (fresh)
                m_stage.children.push_back(node(block, block));
            if (path == block)
                return m_stage.children[found->second];
            siblings = &m_stage.children[found->second].children;
            place = {found->second, siblings->size()};
            name = path.substr(length + 1);
        }
        siblings->push_back(node(name, path));
        m_places.emplace(path, place);
        return siblings->back();
    }

private:
    static constexpr std::size_t kNone = SIZE_MAX;
    struct Place {
        std::size_t top;
        std::size_t inBlock;
    };

    static LayerNode node(std::string name, std::string path)
    {
        LayerNode made;
        made.name = std::move(name);
        made.path = std::move(path);
        return made;
    }

    LayerNode& at(const Place& place)
    {
        LayerNode& top = m_stage.children[place.top];
        return place.inBlock == kNone ? top : top.children[place.inBlock];
    }

    LayerNode& m_stage;
    std::map<std::string, Place> m_places;
    std::map<std::string, std::size_t> m_blocks;
};

// Sums, without the modules that neither hold weights nor multiply anything.
void addUp(LayerNode& node)
{
    for (LayerNode& child : node.children) {
        child.stage = node.stage;
        addUp(child);
        node.parameters += child.parameters;
        node.flops += child.flops;
        node.bytesBefore += child.bytesBefore;
        node.bytesAfter += child.bytesAfter;
        node.linearLayers += child.linearLayers;
        node.matchedLayers += child.matchedLayers;
        if (!child.children.empty())
            child.scheme = node.scheme;
    }
    std::erase_if(node.children, [](const LayerNode& child) {
        return child.parameters == 0 && child.flops == 0.0;
    });
}

std::string moduleOf(const std::string& weight)
{
    const std::size_t dot = weight.rfind('.');
    return dot == std::string::npos ? weight : weight.substr(0, dot);
}

void addWeights(const core::StageInfo& info, core::DType working, Stage& stage)
{
    for (const core::WeightSpec& weight : info.weights) {
        LayerNode& module = stage.module(moduleOf(weight.name));
        module.parameters += weight.elementCount();
        module.bytesBefore += weight.elementCount() * core::byteSize(working);
        module.bytesAfter = module.bytesBefore;
    }
}

void addLinears(const core::ModelFamily& family, const std::vector<core::LayerRow>& rows,
                std::size_t index, Stage& stage)
{
    for (const core::LayerRow& row : rows) {
        if (row.stage != index)
            continue;
        LayerNode& module = stage.module(row.module);
        module.linearLayers = 1;
        module.role = family.layerPlace(index, row.module).role;
        module.shape = row.weightShape;
        module.matchedLayers = row.matched ? 1 : 0;
        module.scheme = row.scheme.text();
        module.reason = row.reason;
        module.bytesAfter += row.bytesAfter - row.bytesBefore;
    }
}

void addFlops(const core::Graph& graph, double runs, Stage& stage)
{
    for (const core::LayerCost& layer : core::costPerModule(graph))
        stage.module(layer.module).flops += runs * layer.cost.flops();
}

// By their operations; a layer is in the block that stands above it.
void addRegions(const core::Graph& graph, Stage& stage)
{
    for (const core::RegionKind kind : core::kRegionKinds.values()) {
        for (const core::GraphRegion& region : core::findRegions(graph, {kind})) {
            if (kind == core::RegionKind::Block) {
                stage.module(region.module).regions.insert(kind);
                continue;
            }
            for (const std::size_t node : region.nodes) {
                if (!graph.nodes[node].module.empty())
                    stage.module(graph.nodes[node].module).regions.insert(kind);
            }
        }
    }
}

}  // namespace

LayerTree makeLayerTree(const core::ModelFamily& family, const core::Recipe& recipe,
                        const core::ShapePoint& shape)
{
    LayerTree tree;
    const core::ShapePoint whole{shape.batch, family.workload().completed(shape.sizes)};
    const core::Status possible = family.checkShape(whole);
    if (!possible.ok())
        tree.problem = possible.error().message;
    const std::vector<core::LayerRow> rows = core::layerTable(family, recipe);
    for (std::size_t i = 0; i < family.stages().size(); ++i) {
        const core::StageInfo& info = family.stages()[i];
        const core::DType working = core::workingTypeOf(recipe[i].scheme);
        LayerNode& node = tree.stages.emplace_back();
        node.stage = info.name;
        node.name = info.name;
        node.scheme = recipe[i].scheme.text();
        Stage stage(node);
        if (possible.ok()) {
            const auto graph = family.buildStage(i, whole, working);
            if (!graph.ok()) {
                tree.problem = graph.error().message;
            } else {
                addFlops(graph.value(), static_cast<double>(family.runsPerPass(i, whole)), stage);
                addRegions(graph.value(), stage);
            }
        }
        addWeights(info, working, stage);
        addLinears(family, rows, i, stage);
        addUp(node);
    }
    return tree;
}

}  // namespace qs::widgets
