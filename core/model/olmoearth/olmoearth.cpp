#include "core/model/olmoearth/olmoearth.h"

#include "core/model/olmoearth/encoder.h"

#include <charconv>
#include <utility>

namespace qs::core::olmoearth {

namespace {

constexpr std::string_view kTile = "tile_size";
constexpr std::string_view kPatch = "patch_size";
constexpr std::string_view kSteps = "time_steps";
constexpr std::int64_t kMostPixels = 4096;
constexpr double kKilometresOfPixel = 0.01;

Workload workloadOf(const Variant& variant)
{
    Workload workload;
    workload.sizes = sizeSpecs();
    for (const std::size_t index : variant.seen)
        workload.inputs.push_back(
            {.name = std::string(modalities()[index].name), .lowest = 0.0, .highest = 1.0});
    // Day, month from 0, year: only the month is read.
    workload.inputs.push_back(
        {.name = "timestamps", .whole = true, .lowest = 0.0, .highest = kMostSteps - 1.0});
    workload.outputs = {{"tokens", OutputKind::Embedding}};
    workload.judged = "tokens";
    return workload;
}

EncoderShape shapeOf(const ShapePoint& point)
{
    return {point.batch, point.sizes.find(kTile).value_or(0), point.sizes.find(kPatch).value_or(0),
            point.sizes.find(kSteps).value_or(0)};
}

class EarthFamily final : public ModelFamily
{
public:
    explicit EarthFamily(Variant variant)
        : m_variant(std::move(variant)),
          m_stages{{"encoder", weightsOf(m_variant)}},
          m_workload(workloadOf(m_variant))
    {
    }

    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }

    Status checkShape(const ShapePoint& point) const override
    {
        const EncoderShape shape = shapeOf(point);
        const auto refuse = [](const std::string& why) {
            return Error{ErrorCode::InvalidArgument, why};
        };
        if (shape.batch < 1)
            return refuse("a batch needs at least one sample");
        if (shape.patch < 1 || shape.patch > kLargestPatch)
            return refuse("patches have 1 to 8 px, not " + std::to_string(shape.patch));
        if (shape.steps < 1 || shape.steps > kMostSteps)
            return refuse("there are encodings for 1 to 12 time steps, not " +
                          std::to_string(shape.steps));
        if (shape.tile < 1 || shape.tile > kMostPixels)
            return refuse("tiles have 1 to 4096 px, not " + std::to_string(shape.tile));
        if (shape.patches() == 0)
            return refuse("a tile of " + std::to_string(shape.tile) + " px holds no patch of " +
                          std::to_string(shape.patch) + " px: zero tokens");
        const double values = static_cast<double>(shape.batch) *
                              static_cast<double>(shape.patches() * shape.patches()) *
                              static_cast<double>(shape.steps * m_variant.bandsets()) *
                              static_cast<double>(4 * m_variant.width);
        if (values > static_cast<double>(std::int64_t{1} << 48U))
            return refuse("a batch of " + std::to_string(shape.batch) +
                          " needs tensors of more than 2^48 values");
        return {};
    }

    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                             DType compute) const override
    {
        QS_ASSERT(stage == 0 && checkShape(point).ok());
        return buildEncoder(m_variant, shapeOf(point), compute);
    }

    std::vector<SampleAmount> amounts(const ShapePoint& point) const override
    {
        const EncoderShape shape = shapeOf(point);
        const auto tokens = static_cast<double>(shape.patches() * shape.patches() * shape.steps *
                                                m_variant.bandsets());
        const double side = static_cast<double>(shape.tile) * kKilometresOfPixel;
        return {{AmountKind::Token, tokens}, {AmountKind::SquareKilometre, side * side}};
    }

    LayerPlace layerPlace(std::size_t, const std::string& module) const override
    {
        constexpr std::string_view kBlocks = "blocks.";
        LayerPlace place{LayerRole::Stem, -1, m_variant.depth};
        if (!module.starts_with(kBlocks))
            return place;
        std::from_chars(module.data() + kBlocks.size(), module.data() + module.size(), place.block);
        place.role =
            module.find(".attn.") != std::string::npos ? LayerRole::Attention : LayerRole::Mlp;
        return place;
    }

private:
    Variant m_variant;
    std::vector<StageInfo> m_stages;
    Workload m_workload;
};

}  // namespace

std::shared_ptr<const ModelFamily> makeFamily(const Variant& variant)
{
    return std::make_shared<EarthFamily>(variant);
}

std::vector<SizeSpec> sizeSpecs()
{
    return {{.name = std::string(kTile),
             .description = "Side of a tile of satellite images",
             .unit = "px tiles",
             .fallback = 64,
             .smallest = 8,
             .least = 1,
             .largest = kMostPixels},
            {.name = std::string(kPatch),
             .description = "Side of a patch, which is a token for each bandset and time step",
             .unit = "px patches",
             .fallback = 4,
             .smallest = 1,
             .largest = kLargestPatch},
            {.name = std::string(kSteps),
             .description = "Images of one place, one after the other",
             .unit = "time steps",
             .fallback = kMostSteps,
             .smallest = 1,
             .largest = kMostSteps}};
}

}  // namespace qs::core::olmoearth
