#include "core/base/checks.h"
#include "core/base/text_parts.h"
#include "core/graph/layer_operations.h"
#include "core/model/llama/config.h"
#include "core/model/rope/family.h"
#include "core/model/rope/pair_rotation.h"
#include "core/model/te_llama/fused_family.h"

#include <charconv>

// RoPE of neighbours alone: one stage "rope", x [B, H, S, Dh] -> turned, as source document 004
// times it. Its table is an input of no kind: it is computed in the working type.
namespace qs::core::rope {

namespace {

constexpr std::string_view kSequence = "sequence";
constexpr std::int64_t kMostWidth = 65'536;

struct Heads {
    std::int64_t count = 0;
    std::int64_t width = 0;
};

// "h32_x128"
Result<Heads> parseHeads(std::string_view text)
{
    Heads heads;
    for (const std::string& word : splitAt(text, '_')) {
        std::int64_t value = 0;
        const char* end = word.data() + word.size();
        const bool number = word.size() > 1 &&
                            std::from_chars(word.data() + 1, end, value).ptr == end && value > 0 &&
                            value <= kMostWidth;
        if (number && word.front() == 'h')
            heads.count = value;
        else if (number && word.front() == 'x')
            heads.width = value;
        else
            return Error{ErrorCode::InvalidArgument, "\"" + word.substr(0, 40) +
                                                         "\" is unknown; write h32_x128: heads, "
                                                         "and their width"};
    }
    if (heads.count == 0 || heads.width == 0 || heads.width % 2 != 0)
        return Error{ErrorCode::InvalidArgument,
                     "heads and an even width of theirs are needed; write h32_x128"};
    return heads;
}

class RopeFamily final : public ModelFamily
{
public:
    explicit RopeFamily(const Heads& heads) : m_heads(heads), m_stages{{"rope", {}}}
    {
        m_workload.sizes = {te_llama::sequenceSpec()};
        m_workload.inputs = {{.name = "x", .distribution = Distribution::Normal}};
        m_workload.outputs = {{"turned", OutputKind::Tensor}};
        m_workload.judged = "turned";
        m_workload.unit = WorkUnit::Token;
        m_workload.unitSize = kSequence;
    }

    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }

    Status checkShape(const ShapePoint& point) const override
    {
        const std::int64_t sequence = point.sizes.find(kSequence).value_or(0);
        const double values = static_cast<double>(point.batch) * static_cast<double>(sequence) *
                              static_cast<double>(m_heads.count * m_heads.width);
        if (point.batch < 1 || sequence < 1 || values > static_cast<double>(std::int64_t{1} << 48U))
            return Error{ErrorCode::InvalidArgument,
                         "a batch and a sequence of at least one, and at most 2^48 values"};
        return {};
    }

    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                             DType compute) const override
    {
        QS_ASSERT(stage == 0 && checkShape(point).ok());
        const std::int64_t sequence = point.sizes.find(kSequence).value_or(0);
        GraphBuilder builder;
        const ValueId x =
            builder.input("x", {compute, {point.batch, m_heads.count, sequence, m_heads.width}});
        llama::Config config;
        config.headWidth = m_heads.width;
        const RotaryTable table = rotaryTable(builder, llama::inverseFrequencies(config),
                                              arange(builder, sequence), DType::Float32, compute);
        builder.output(turnPairs(builder, x, table), "turned");
        return builder.finish();
    }

    LayerPlace layerPlace(std::size_t, const std::string&) const override { return {}; }

private:
    Heads m_heads;
    std::vector<StageInfo> m_stages;
    Workload m_workload;
};

Result<OpenedModel> generate(const std::string& text, std::int64_t)
{
    QS_TRY(const Heads heads, parseHeads(text));
    OpenedModel opened;
    opened.model.variant = "h" + std::to_string(heads.count) + "_x" + std::to_string(heads.width);
    opened.model.displayName = "RoPE " + opened.model.variant;
    opened.model.family = std::make_shared<RopeFamily>(heads);
    opened.model.contentId = "generated:rope:" + opened.model.variant;
    return opened;
}

}  // namespace

FamilySpec familySpec()
{
    return {.name = "rope",
            .description = "Rotary position embedding of neighbouring values, alone",
            .sizes = {te_llama::sequenceSpec()},
            .stages = {"rope"},
            .variants = {"h32_x128"},
            .generate = generate};
}

}  // namespace qs::core::rope
