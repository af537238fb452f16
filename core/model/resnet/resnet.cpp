#include "core/model/resnet/resnet.h"

#include <charconv>
#include <utility>

namespace qs::core::resnet {

namespace {

constexpr std::int64_t kMostPixels = 16384;
constexpr std::int64_t kMostClasses = 1'000'000;

struct Depth {
    std::string_view name;
    std::array<std::int64_t, 4> blocks;
};
constexpr std::array<Depth, 3> kDepths{
    {{"10", {1, 1, 1, 1}}, {"18", {2, 2, 2, 2}}, {"34", {3, 4, 6, 3}}}};

// Means and deviations of the channels that the weights were trained with: those of CIFAR-10 where
// there are ten classes, else ImageNet's.
struct Normalisation {
    std::array<float, 3> mean;
    std::array<float, 3> deviation;
};
constexpr Normalisation kImageNet{{0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}};
constexpr Normalisation kCifar{{0.4914F, 0.4822F, 0.4465F}, {0.2023F, 0.1994F, 0.2010F}};

Workload workloadOf()
{
    Workload workload;
    workload.sizes = {imageSizeSpec()};
    // What normalised images span.
    workload.inputs = {{.name = "image", .lowest = -2.5, .highest = 2.8}};
    workload.outputs = {{"logits", OutputKind::Classes}};
    workload.judged = "logits";
    workload.unit = WorkUnit::Image;
    workload.source = InputSource::Images;
    return workload;
}

class ResnetFamily final : public ModelFamily
{
public:
    explicit ResnetFamily(const Variant& variant)
        : m_variant(variant), m_stages{{"network", weightsOf(variant)}}, m_workload(workloadOf())
    {
    }

    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }

    Status checkShape(const ShapePoint& point) const override
    {
        const std::int64_t side = point.sizes.find(kImageSize).value_or(0);
        if (point.batch < 1)
            return Error{ErrorCode::InvalidArgument, "a batch needs at least one image"};
        if (side < 1 || side > kMostPixels)
            return Error{ErrorCode::InvalidArgument, "images have 1 to " +
                                                         std::to_string(kMostPixels) + " px, not " +
                                                         std::to_string(side)};
        // What the first convolution gives is the largest tensor.
        const double values = static_cast<double>(point.batch) * static_cast<double>(side) *
                              static_cast<double>(side) * static_cast<double>(m_variant.width);
        if (values > static_cast<double>(std::int64_t{1} << 48U))
            return Error{ErrorCode::InvalidArgument,
                         "a batch of " + std::to_string(point.batch) + " at " +
                             std::to_string(side) + " px needs tensors of more than 2^48 values"};
        return {};
    }

    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                             DType compute) const override
    {
        QS_ASSERT(stage == 0 && checkShape(point).ok());
        return buildNetwork(m_variant, point.batch, point.sizes.at(kImageSize), compute);
    }

    LayerPlace layerPlace(std::size_t, const std::string& module) const override
    {
        LayerPlace place;
        place.blockCount = m_variant.blockCount();
        if (module == "conv1" || module == "fc") {
            place.role = module == "fc" ? LayerRole::Head : LayerRole::Stem;
            return place;
        }
        place.role = LayerRole::Convolution;
        place.block = blockOf(module);
        return place;
    }

    Result<HostTensors> prepare(const FloatArray& images) const override
    {
        const auto& shape = images.shape;
        if (shape.size() != 4 || shape[1] != 3)
            return Error{ErrorCode::InvalidArgument, "images must have the shape [B, 3, H, W]"};
        const Normalisation& rule = m_variant.classes == 10 ? kCifar : kImageNet;
        const std::size_t plane = static_cast<std::size_t>(shape[2] * shape[3]);
        std::vector<float> values = images.values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t channel = i / plane % 3;
            values[i] = ((values[i] + 1.0F) / 2.0F - rule.mean[channel]) / rule.deviation[channel];
        }
        return HostTensors{{"image", {shape, std::move(values)}}};
    }

private:
    // "layer2.1.conv1" is in the blocks of layer 1 and one further.
    [[nodiscard]] std::int64_t blockOf(const std::string& module) const
    {
        const auto layer = static_cast<std::size_t>(module.at(5) - '1');
        std::int64_t block = std::stoll(module.substr(7));
        for (std::size_t i = 0; i < layer; ++i)
            block += m_variant.blocks[i];
        return block;
    }

    Variant m_variant;
    std::vector<StageInfo> m_stages;
    Workload m_workload;
};

}  // namespace

Result<Variant> parseVariant(std::string_view text)
{
    const auto slash = text.find('/');
    Variant variant;
    bool known = false;
    for (const Depth& depth : kDepths) {
        if (text.substr(0, slash) == depth.name) {
            variant.blocks = depth.blocks;
            known = true;
        }
    }
    if (slash != std::string_view::npos) {
        const std::string_view classes = text.substr(slash + 1);
        const auto [end, error] =
            std::from_chars(classes.data(), classes.data() + classes.size(), variant.classes);
        known = known && error == std::errc() && end == classes.data() + classes.size() &&
                variant.classes >= 1 && variant.classes <= kMostClasses;
    }
    if (known)
        return variant;
    return Error{ErrorCode::InvalidArgument,
                 "\"" + std::string(text.substr(0, 60)) +
                     "\" is no ResNet: write a depth of 10, 18 or 34 and, behind a slash, the "
                     "number of classes, as in resnet:18/10"};
}

std::string toText(const Variant& variant)
{
    for (const Depth& depth : kDepths) {
        if (depth.blocks == variant.blocks && variant.width == 64)
            return std::string(depth.name) + "/" + std::to_string(variant.classes);
    }
    std::string text = "w" + std::to_string(variant.width);
    for (const std::int64_t blocks : variant.blocks)
        text += "_" + std::to_string(blocks);
    return text + "/" + std::to_string(variant.classes);
}

std::shared_ptr<const ModelFamily> makeFamily(const Variant& variant)
{
    return std::make_shared<ResnetFamily>(variant);
}

SizeSpec imageSizeSpec()
{
    return {.name = std::string(kImageSize),
            .description = "Pixels a side",
            .unit = "px",
            .fallback = 224,
            .smallest = 1};
}

}  // namespace qs::core::resnet
