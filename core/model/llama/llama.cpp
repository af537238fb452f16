#include "core/model/llama/llama.h"

#include "core/model/llama/decoder.h"

#include <algorithm>

namespace qs::core::llama {

namespace {

constexpr std::string_view kPromptTokens = "prompt_tokens";
constexpr std::string_view kNewTokens = "new_tokens";

// The usual ones, as far as the model has places for them: four fifths are the prompt's.
std::vector<SizeSpec> sizesOf(const Config& config)
{
    std::vector<SizeSpec> sizes = sizeSpecs();
    SizeSpec& prompt = sizes.front();
    SizeSpec& generated = sizes.back();
    if (prompt.fallback + generated.fallback > config.context) {
        prompt.fallback = std::max<std::int64_t>(1, config.context * 4 / 5);
        generated.fallback = config.context - prompt.fallback;
    }
    return sizes;
}

Workload workloadOf(const Config& config)
{
    Workload workload;
    workload.sizes = sizesOf(config);
    workload.inputs = {{.name = "tokens",
                        .whole = true,
                        .lowest = 0.0,
                        .highest = static_cast<double>(config.vocabulary - 1),
                        .indices = true}};
    workload.outputs = {{"prompt_logits", OutputKind::Logits},
                        {"logits", OutputKind::Logits},
                        {"generated", OutputKind::Tokens}};
    workload.judged = "logits";
    workload.unit = WorkUnit::Token;
    workload.unitSize = kNewTokens;
    workload.otherUnitSize = kPromptTokens;
    workload.driver = Driver::Autoregressive;
    return workload;
}

class LlamaFamily final : public ModelFamily
{
public:
    explicit LlamaFamily(const Config& config)
        : m_config(config),
          m_stages{{"prefill", weightsOf(config)}, {"decode", weightsOf(config), 0}},
          m_workload(workloadOf(config))
    {
    }

    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }

    Status checkShape(const ShapePoint& point) const override
    {
        const StageShape shape = shapeOf(point, DType::Float32);
        const auto refuse = [](const std::string& why) {
            return Error{ErrorCode::InvalidArgument, why};
        };
        if (shape.batch < 1)
            return refuse("a batch needs at least one sequence");
        if (shape.promptTokens < 1 || shape.newTokens < 0)
            return refuse("a prompt has at least one token");
        if (shape.promptTokens > m_config.context ||
            shape.newTokens > m_config.context - shape.promptTokens)
            return refuse(std::to_string(shape.promptTokens) + " + " +
                          std::to_string(shape.newTokens) + " tokens are more than the " +
                          std::to_string(m_config.context) + " positions of the model");
        const std::int64_t widest =
            std::max({m_config.feedForward, m_config.hidden, m_config.heads * m_config.headWidth});
        const double values =
            static_cast<double>(shape.batch) *
            std::max(static_cast<double>(shape.positions()) * static_cast<double>(widest),
                     static_cast<double>(m_config.vocabulary) *
                         static_cast<double>(shape.reads() ? shape.promptTokens : 1));
        if (values > static_cast<double>(std::int64_t{1} << 48U))
            return refuse("a batch of " + std::to_string(shape.batch) +
                          " needs tensors of more than 2^48 values");
        return {};
    }

    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                             DType compute) const override
    {
        QS_ASSERT(stage < 2 && checkShape(point).ok());
        StageShape shape = shapeOf(point, compute);
        if (stage == 0)
            return buildPrefill(m_config, shape);
        // Its layers are asked for, too, where it never runs.
        shape.newTokens = std::max<std::int64_t>(1, shape.newTokens);
        return buildDecode(m_config, shape);
    }

    LayerPlace layerPlace(std::size_t, const std::string& module) const override
    {
        static constexpr std::string_view kLayers = "model.layers.";
        LayerPlace place;
        place.blockCount = m_config.layers;
        if (!module.starts_with(kLayers)) {
            place.role = LayerRole::Head;
            return place;
        }
        place.block = std::stoll(module.substr(kLayers.size()));
        place.role =
            module.find(".self_attn.") != std::string::npos ? LayerRole::Attention : LayerRole::Mlp;
        return place;
    }

    // The prefill chooses the first token.
    std::int64_t runsPerPass(std::size_t stage, const ShapePoint& point) const override
    {
        const std::int64_t further = shapeOf(point, DType::Float32).newTokens - 1;
        return stage == 0 ? 1 : std::max<std::int64_t>(0, further);
    }

private:
    static StageShape shapeOf(const ShapePoint& point, DType compute)
    {
        return {point.batch, point.sizes.find(kPromptTokens).value_or(0),
                point.sizes.find(kNewTokens).value_or(0), compute};
    }

    Config m_config;
    std::vector<StageInfo> m_stages;
    Workload m_workload;
};

}  // namespace

std::shared_ptr<const ModelFamily> makeFamily(const Config& config)
{
    return std::make_shared<LlamaFamily>(config);
}

std::vector<SizeSpec> sizeSpecs()
{
    return {{.name = std::string(kPromptTokens),
             .description = "Tokens of the prompt, which the model reads at once",
             .unit = "prompt tokens",
             .fallback = 128},
            {.name = std::string(kNewTokens),
             .description = "Tokens that are generated one after the other; 0: the prompt is only "
                            "read, and what is judged is what the model expects at each place",
             .unit = "new tokens",
             .fallback = 32,
             .least = 0}};
}

}  // namespace qs::core::llama
