#include "core/model/vitok/vitok.h"

#include "core/model/image_inputs.h"
#include "core/model/vitok/blocks.h"
#include "core/model/vitok/patchify.h"

#include <algorithm>
#include <cmath>

namespace qs::core::vitok {

namespace {

// Checkpoints start from 1e-4, where the blocks hardly change the stream and no scheme could be
// told from another. With generated weights 0.1 keeps the magnitudes of a trained model.
constexpr double kGeneratedGamma = 0.1;
// No device holds such a tensor, and below it byte counts stay far from the end of 64 bits.
constexpr double kMostValues = 281474976710656.0;

Initialiser normal(double deviation)
{
    return {Initialiser::Kind::Normal, deviation};
}

void addLinear(std::vector<WeightSpec>& weights, const std::string& name, std::int64_t in,
               std::int64_t out, bool bias)
{
    weights.push_back(
        {name + ".weight", {out, in}, normal(1.0 / std::sqrt(static_cast<double>(in)))});
    if (bias)
        weights.push_back({name + ".bias", {out}, normal(0.02)});
}

void addBlocks(std::vector<WeightSpec>& weights, const std::string& prefix, const Side& side,
               std::int64_t hidden)
{
    const Initialiser one{Initialiser::Kind::Constant, 1.0};
    for (std::int64_t i = 0; i < side.depth; ++i) {
        const std::string block = prefix + "." + std::to_string(i) + ".";
        weights.push_back({block + "norm1.weight", {side.width}, one});
        weights.push_back({block + "attn.norm_q.weight", {side.headWidth()}, one});
        weights.push_back({block + "attn.norm_k.weight", {side.headWidth()}, one});
        addLinear(weights, block + "attn.qkv_proj", side.width, 3 * side.width, false);
        addLinear(weights, block + "attn.out_proj", side.width, side.width, false);
        addLinear(weights, block + "ffn.fc1", side.width, 2 * hidden, false);
        addLinear(weights, block + "ffn.fc2", hidden, side.width, false);
        weights.push_back({block + "layer_scale.gamma",
                           {side.width},
                           {Initialiser::Kind::Constant, kGeneratedGamma}});
    }
}

Workload workloadOf(const Variant& variant)
{
    Workload workload;
    workload.sizes = sizeSpecs(variant.patch);
    workload.inputs = {{.name = "patches"},
                       {.name = "row_idx", .whole = true, .lowest = 0.0, .highest = 16383.0},
                       {.name = "col_idx", .whole = true, .lowest = 0.0, .highest = 16383.0}};
    workload.outputs = {{"code", OutputKind::Embedding}, {"decoded", OutputKind::Image}};
    workload.judged = "decoded";
    workload.unit = WorkUnit::Image;
    workload.source = InputSource::Images;
    return workload;
}

std::int64_t sideOf(const ShapePoint& point)
{
    return point.sizes.find(kImageSize).value_or(0);
}

// Pixels from top to bottom.
std::int64_t heightOf(const ShapePoint& point)
{
    const std::int64_t height = point.sizes.find(kImageHeight).value_or(0);
    return height == 0 ? sideOf(point) : height;
}

std::int64_t widthOf(const ShapePoint& point)
{
    const std::int64_t width = point.sizes.find(kImageWidth).value_or(0);
    return width == 0 ? sideOf(point) : width;
}

std::int64_t budgetOf(const ShapePoint& point)
{
    return point.sizes.find(kTokenBudget).value_or(0);
}

std::int64_t windowOf(const ShapePoint& point)
{
    return point.sizes.find(kAttentionWindow).value_or(0);
}

std::string pixels(std::int64_t count)
{
    return std::to_string(count) + " px";
}

Status isWithin(std::string_view size, std::int64_t count, std::int64_t side)
{
    if (count <= side)
        return {};
    return Error{ErrorCode::InvalidArgument, std::string(size) + " " + pixels(count) +
                                                 " is more than an image of " + pixels(side) +
                                                 " has, from whose middle it is taken"};
}

class VitokFamily final : public ModelFamily
{
public:
    explicit VitokFamily(const Variant& variant) : m_variant(variant)
    {
        StageInfo encoder{"encoder", {}};
        addLinear(encoder.weights, "patch_embed", variant.pixelsPerToken(), variant.encoder.width,
                  true);
        addBlocks(encoder.weights, "encoder_blocks", variant.encoder, variant.encoderHidden);
        addLinear(encoder.weights, "to_code", variant.encoder.width, variant.channels, true);
        StageInfo decoder{"decoder", {}};
        addLinear(decoder.weights, "decoder_embed", variant.channels, variant.decoder.width, true);
        addBlocks(decoder.weights, "decoder_blocks", variant.decoder, variant.decoderHidden);
        addLinear(decoder.weights, "to_pixels", variant.decoder.width, variant.pixelsPerToken(),
                  true);
        m_stages = {std::move(encoder), std::move(decoder)};
        m_workload = workloadOf(variant);
    }

    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }

    Status checkShape(const ShapePoint& point) const override
    {
        if (point.batch < 1)
            return Error{ErrorCode::InvalidArgument, "a batch needs at least one image"};
        const std::int64_t side = sideOf(point);
        if (side < m_variant.patch || side % m_variant.patch != 0)
            return Error{ErrorCode::InvalidArgument, pixels(side) +
                                                         " is not a whole number of patches of " +
                                                         pixels(m_variant.patch)};
        if (side > 16384)
            return Error{ErrorCode::InvalidArgument, "images above 16384 px are not supported"};
        if (std::min({heightOf(point), widthOf(point), budgetOf(point), windowOf(point)}) < 0)
            return Error{
                ErrorCode::InvalidArgument,
                "image_height, image_width, token_budget and attention_window are 0 or more"};
        QS_RETURN_IF_ERROR(isWithin(kImageHeight, heightOf(point), side));
        QS_RETURN_IF_ERROR(isWithin(kImageWidth, widthOf(point), side));
        const std::int64_t tokens = rowsOf(point) * columnsOf(point);
        if (budgetOf(point) > 0 && budgetOf(point) < tokens)
            return Error{ErrorCode::InvalidArgument,
                         "an image is " + std::to_string(tokens) +
                             " tokens, more than token_budget " + std::to_string(budgetOf(point)) +
                             ": take a smaller image_size or a larger budget"};
        if (largestValueCount(point) > kMostValues)
            return Error{ErrorCode::InvalidArgument,
                         "a batch of " + std::to_string(point.batch) + " at " +
                             std::to_string(side) + " px needs tensors of more than 2^48 values"};
        return {};
    }

    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                             DType compute) const override
    {
        QS_ASSERT(stage < 2 && checkShape(point).ok());
        const StageShape shape{.batch = point.batch,
                               .tokens = tokensOf(point),
                               .compute = compute,
                               .masked = budgetOf(point) > 0,
                               .window = windowOf(point)};
        return stage == 0 ? buildEncoder(m_variant, shape) : buildDecoder(m_variant, shape);
    }

    LayerPlace layerPlace(std::size_t stage, const std::string& module) const override
    {
        LayerPlace place;
        place.blockCount = stage == 0 ? m_variant.encoder.depth : m_variant.decoder.depth;
        const auto blocks = module.find("_blocks.");
        if (blocks == std::string::npos) {
            const bool embedding = module == "patch_embed" || module == "decoder_embed";
            place.role = embedding ? LayerRole::Embedding : LayerRole::Head;
            return place;
        }
        place.block = std::stoll(module.substr(blocks + 8));
        place.role =
            module.find(".attn.") != std::string::npos ? LayerRole::Attention : LayerRole::Mlp;
        return place;
    }

    Result<HostTensors> prepare(const FloatArray& pictures) const override
    {
        const bool images = pictures.shape.size() == 4;  // else patchify says so
        QS_TRY(FloatArray tokens,
               patchify(images ? withWholePatches(pictures, m_variant.patch) : pictures,
                        m_variant.patch));
        const std::int64_t columns = patchesOf(pictures.shape[3]);
        const std::vector<std::int64_t> places{tokens.shape[0], tokens.shape[1]};
        std::vector<std::int64_t> rowIndex;
        std::vector<std::int64_t> columnIndex;
        for (std::int64_t b = 0; b < places[0]; ++b) {
            for (std::int64_t token = 0; token < places[1]; ++token) {
                rowIndex.push_back(token / columns);
                columnIndex.push_back(token % columns);
            }
        }
        HostTensors inputs;
        inputs["patches"] = {std::move(tokens.shape), std::move(tokens.values)};
        inputs["row_idx"] = {places, std::move(rowIndex)};
        inputs["col_idx"] = {places, std::move(columnIndex)};
        inputs["patch_mask"] = {
            places, std::vector<std::int64_t>(static_cast<std::size_t>(places[0] * places[1]), 1)};
        return inputs;
    }

    Result<FloatArray> present(const FloatArray& output, const ShapePoint& point) const override
    {
        const std::int64_t tokens = rowsOf(point) * columnsOf(point);
        QS_TRY(const FloatArray images,
               unpatchify(output.shape.size() == 3 ? firstEntries(output, 1, tokens) : output,
                          m_variant.patch, rowsOf(point), columnsOf(point)));
        return firstEntries(firstEntries(images, 2, heightOf(point)), 3, widthOf(point));
    }

private:
    // The last may be filled up.
    std::int64_t patchesOf(std::int64_t pixels) const
    {
        return (pixels + m_variant.patch - 1) / m_variant.patch;
    }
    std::int64_t rowsOf(const ShapePoint& point) const { return patchesOf(heightOf(point)); }
    std::int64_t columnsOf(const ShapePoint& point) const { return patchesOf(widthOf(point)); }
    // With those that are none.
    std::int64_t tokensOf(const ShapePoint& point) const
    {
        return std::max(rowsOf(point) * columnsOf(point), budgetOf(point));
    }

    // Elements of the widest activation, or of the mask where there is one; a double, because a
    // hostile batch would overflow integers.
    double largestValueCount(const ShapePoint& point) const
    {
        const auto tokens = static_cast<double>(tokensOf(point));
        const std::int64_t width = std::max(
            {m_variant.pixelsPerToken(), 3 * m_variant.encoder.width, 3 * m_variant.decoder.width,
             2 * m_variant.encoderHidden, 2 * m_variant.decoderHidden, m_variant.channels});
        const bool pairs = budgetOf(point) > 0 || windowOf(point) > 0;
        return static_cast<double>(point.batch) * tokens *
               std::max(static_cast<double>(width), pairs ? tokens : 0.0);
    }

    Variant m_variant;
    std::vector<StageInfo> m_stages;
    Workload m_workload;
};

}  // namespace

std::vector<SizeSpec> sizeSpecs(std::int64_t patch)
{
    return {{.name = std::string(kImageSize),
             .description = "Pixels a side",
             .unit = "px",
             .fallback = 256,
             .smallest = patch},
            {.name = std::string(kImageHeight),
             .description = "Rows of pixels from the middle of the image; 0: image_size, which is "
                            "all of them",
             .unit = "rows",
             .fallback = 0,
             .smallest = 0,
             .least = 0},
            {.name = std::string(kImageWidth),
             .description = "Columns of pixels from the middle of the image; 0: image_size, which "
                            "is all of them",
             .unit = "columns",
             .fallback = 0,
             .smallest = 0,
             .least = 0},
            {.name = std::string(kTokenBudget),
             .description = "Tokens that every image is filled up to, with a mask for those that "
                            "are none; 0: as many as the image has",
             .unit = "tokens",
             .fallback = 0,
             .smallest = 0,
             .least = 0},
            {.name = std::string(kAttentionWindow),
             .description = "Attention reaches so many tokens back and forth, in the order of the "
                            "rows of patches, by a mask; 0: all of them",
             .unit = "tokens each way",
             .fallback = 0,
             .smallest = 0,
             .least = 0}};
}

std::shared_ptr<const ModelFamily> makeFamily(const Variant& variant)
{
    return std::make_shared<VitokFamily>(variant);
}

}  // namespace qs::core::vitok
