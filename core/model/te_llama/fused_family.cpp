#include "core/model/te_llama/fused_family.h"

#include "core/base/checks.h"
#include "core/model/te_llama/fused_blocks.h"

#include <algorithm>

namespace qs::core::te_llama {

namespace {

constexpr std::string_view kSequence = "sequence";
constexpr double kMostValues = static_cast<double>(std::int64_t{1} << 48U);

Workload workloadOf(const Variant& variant)
{
    Workload workload;
    workload.sizes = {sequenceSpec()};
    SizeSpec& sequence = workload.sizes.front();
    sequence.fallback = std::min(sequence.fallback, variant.config.context);
    if (variant.blocksAlone) {
        workload.inputs = {{.name = "hidden", .distribution = Distribution::Normal}};
        workload.outputs = {{"states", OutputKind::Tensor}};
    } else {
        workload.inputs = {{.name = "tokens",
                            .whole = true,
                            .lowest = 0.0,
                            .highest = static_cast<double>(variant.config.vocabulary - 1),
                            .indices = true}};
        workload.outputs = {{"logits", OutputKind::Logits}};
    }
    workload.judged = workload.outputs.front().name;
    workload.unit = WorkUnit::Token;
    workload.unitSize = kSequence;
    return workload;
}

class FusedLlama final : public ModelFamily
{
public:
    explicit FusedLlama(const Variant& variant)
        : m_variant(variant),
          m_stages{{"forward", weightsOf(variant)}},
          m_workload(workloadOf(variant))
    {
    }

    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }

    Status checkShape(const ShapePoint& point) const override
    {
        const std::int64_t sequence = point.sizes.find(kSequence).value_or(0);
        const llama::Config& config = m_variant.config;
        const auto refuse = [](const std::string& why) {
            return Error{ErrorCode::InvalidArgument, why};
        };
        if (point.batch < 1 || sequence < 1)
            return refuse("a batch has at least one sequence, and a sequence at least one token");
        if (sequence > config.context)
            return refuse(std::to_string(sequence) + " tokens are more than the " +
                          std::to_string(config.context) + " positions of the model");
        const auto widest =
            static_cast<double>(std::max({2 * config.feedForward, config.hidden,
                                          (config.heads + 2 * config.keyHeads) * config.headWidth,
                                          m_variant.blocksAlone ? 1 : config.vocabulary}));
        if (static_cast<double>(point.batch) * static_cast<double>(sequence) * widest > kMostValues)
            return refuse("a batch of " + std::to_string(point.batch) +
                          " needs tensors of more than 2^48 values");
        return {};
    }

    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                             DType compute) const override
    {
        QS_ASSERT(stage == 0 && checkShape(point).ok());
        return buildForward(m_variant,
                            {point.batch, point.sizes.find(kSequence).value_or(0), compute});
    }

    LayerPlace layerPlace(std::size_t, const std::string& module) const override
    {
        static constexpr std::string_view kLayers = "layers.";
        LayerPlace place;
        place.blockCount = m_variant.config.layers;
        if (!module.starts_with(kLayers))
            return place;
        place.block = std::stoll(module.substr(kLayers.size()));
        place.role =
            module.find(".fc") != std::string::npos ? LayerRole::Mlp : LayerRole::Attention;
        return place;
    }

private:
    Variant m_variant;
    std::vector<StageInfo> m_stages;
    Workload m_workload;
};

}  // namespace

SizeSpec sequenceSpec()
{
    return {.name = std::string(kSequence),
            .description = "Tokens of a sequence, which the model reads at once",
            .unit = "tokens",
            .fallback = 2048,
            .smallest = 2,
            .least = 1};
}

std::shared_ptr<const ModelFamily> makeFamily(const Variant& variant)
{
    return std::make_shared<FusedLlama>(variant);
}

}  // namespace qs::core::te_llama
