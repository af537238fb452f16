#include "core/model/exported/exported_family.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace qs::core::exported {

namespace {

// The first part of a path that is a number: "layers.3.fc" is in block 3.
std::int64_t blockOf(std::string_view module)
{
    while (!module.empty()) {
        const std::string_view part = module.substr(0, module.find('.'));
        std::int64_t number = -1;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        if (error == std::errc() && end == part.data() + part.size() && number >= 0)
            return number;
        module.remove_prefix(std::min(part.size() + 1, module.size()));
    }
    return -1;
}

bool speaksOf(std::string_view module, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return module.find(word) != std::string_view::npos;
    });
}

class ExportedFamily final : public ModelFamily
{
public:
    explicit ExportedFamily(ProgramParts parts) : m_parts(std::move(parts))
    {
        m_stages.push_back({std::string(kStage), std::move(m_parts.weights)});
    }

    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_parts.sizes.workload; }

    Status checkShape(const ShapePoint& point) const override
    {
        const ProgramSizes& sizes = m_parts.sizes;
        if (sizes.batchSymbol.empty() && point.batch != sizes.fixedBatch)
            return Error{ErrorCode::InvalidArgument,
                         "the export has the fixed batch " + std::to_string(sizes.fixedBatch) +
                             "; for others export it with " + freeBatchLine(sizes)};
        if (!sizes.batchSymbol.empty())
            QS_RETURN_IF_ERROR(checkRange("batch", sizes.batchSymbol, point.batch));
        for (const auto& [name, symbol] : sizes.symbols)
            QS_RETURN_IF_ERROR(checkRange(name, symbol, point.sizes.find(name).value_or(0)));
        return {};
    }

    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                             DType compute) const override
    {
        QS_ASSERT(stage == 0);
        // The smallest shape has a batch of 1, which a program need not have.
        ShapePoint possible = point;
        if (const auto range = m_parts.program.ranges.find(m_parts.sizes.batchSymbol);
            range != m_parts.program.ranges.end())
            possible.batch = std::max(possible.batch, range->second.lowest);
        return concreteGraph({m_parts.program, m_parts.tensors, m_parts.exportType, compute,
                              m_parts.sizes.at(possible)});
    }

    LayerPlace layerPlace(std::size_t, const std::string& module) const override
    {
        std::call_once(m_placesOnce, [this] { findPlaces(); });
        const auto found = m_places.find(module);
        return found == m_places.end() ? LayerPlace{} : found->second;
    }

private:
    [[nodiscard]] Status checkRange(const std::string& name, const std::string& symbol,
                                    std::int64_t value) const
    {
        const auto found = m_parts.program.ranges.find(symbol);
        const SymbolRange range =
            found == m_parts.program.ranges.end() ? SymbolRange{1, value} : found->second;
        if (value < std::max<std::int64_t>(range.lowest, 1) || value > range.highest)
            return Error{ErrorCode::InvalidArgument,
                         "the export is for " + name + " " + std::to_string(range.lowest) + " to " +
                             std::to_string(range.highest) + ", not " + std::to_string(value)};
        return {};
    }

    // By the words that modules of the field are called by: nothing but layer filters depends on
    // it.
    void findPlaces() const
    {
        const std::vector<LayerSpec>& all = layers(0);
        std::int64_t blocks = 0;
        for (const LayerSpec& layer : all)
            blocks = std::max(blocks, blockOf(layer.module) + 1);
        for (const LayerSpec& layer : all) {
            LayerPlace place{LayerRole::Mlp, blockOf(layer.module), blocks};
            if (layer.kind == LayerKind::Convolution)
                place.role = LayerRole::Convolution;
            else if (speaksOf(layer.module, {"attn", "attention"}))
                place.role = LayerRole::Attention;
            if (speaksOf(layer.module, {"head", "classifier"}) && place.block < 0)
                place.role = LayerRole::Head;
            m_places.emplace(layer.module, place);
        }
        if (all.size() > 2 && all.front().kind == LayerKind::Convolution)
            m_places[all.front().module].role = LayerRole::Stem;
        if (all.size() > 2 && all.back().kind == LayerKind::Linear &&
            m_places[all.back().module].block < 0)
            m_places[all.back().module].role = LayerRole::Head;
        if (blocks == 0)
            makeOneBlock();
        else
            takeLinearsBetween(all);
    }

    // Where numbered blocks have convolutions alone, the linear layers between them are of the
    // block before: the attention in the middle of a U-Net. Else they are what leads from one part
    // of a network into the next, and stay as embeddings do.
    void takeLinearsBetween(const std::vector<LayerSpec>& all) const
    {
        const bool anyInside = std::any_of(all.begin(), all.end(), [&](const LayerSpec& layer) {
            return layer.kind == LayerKind::Linear && m_places[layer.module].block >= 0;
        });
        if (anyInside)
            return;
        std::int64_t block = 0;
        for (const LayerSpec& layer : all) {
            LayerPlace& place = m_places[layer.module];
            if (place.block >= 0)
                block = place.block;
            else if (layer.kind == LayerKind::Linear && place.role != LayerRole::Head)
                place.block = block;
        }
    }

    // A network without numbered blocks is one, but for its stem and its head.
    void makeOneBlock() const
    {
        const auto isInside = [](const auto& entry) {
            return entry.second.role != LayerRole::Stem && entry.second.role != LayerRole::Head;
        };
        const bool any = std::any_of(m_places.begin(), m_places.end(), isInside);
        for (auto& entry : m_places) {
            if (!any || isInside(entry)) {
                entry.second.block = 0;
                entry.second.blockCount = 1;
            }
        }
    }

    ProgramParts m_parts;
    std::vector<StageInfo> m_stages;
    mutable std::once_flag m_placesOnce;
    mutable std::map<std::string, LayerPlace> m_places;  // by module
};

}  // namespace

std::shared_ptr<const ModelFamily> makeFamily(ProgramParts parts)
{
    return std::make_shared<ExportedFamily>(std::move(parts));
}

}  // namespace qs::core::exported
