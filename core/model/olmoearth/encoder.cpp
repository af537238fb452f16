#include "core/model/olmoearth/encoder.h"

#include "core/graph/layer_operations.h"

#include <cmath>
#include <string>

namespace qs::core::olmoearth {

namespace {

constexpr double kNormEpsilon = 1e-5;
constexpr std::int64_t kMlpRatio = 4;
constexpr double kMetresPerPixel = 10.0;
constexpr double kMetresOfEncoding = 10.0;  // for which positions are one apart

std::string embeddingPath(const Modality& modality, std::size_t bandset)
{
    const std::string name(modality.name);
    return "patch_embeddings.per_modality_embeddings." + name + "." + name + "__" +
           std::to_string(bandset) + ".proj";
}

// sin ‖ cos of position / 10000^(i / (2 · dimension)), i below dimension / 2: the exponent is half
// of the usual one.
void appendSines(std::vector<double>& values, double position, std::int64_t dimension)
{
    const auto angle = [&](std::int64_t i) {
        return position *
               std::pow(10000.0, -static_cast<double>(i) / 2.0 / static_cast<double>(dimension));
    };
    for (std::int64_t i = 0; i < dimension / 2; ++i)
        values.push_back(std::sin(angle(i)));
    for (std::int64_t i = 0; i < dimension / 2; ++i)
        values.push_back(std::cos(angle(i)));
}

// Of each patch, row by row: half of the values for its column, then half for its row.
std::vector<double> spaceEncoding(std::int64_t side, std::int64_t dimension, std::int64_t patch)
{
    const double scale = kMetresPerPixel * static_cast<double>(patch) / kMetresOfEncoding;
    std::vector<double> values;
    for (std::int64_t row = 0; row < side; ++row) {
        for (std::int64_t column = 0; column < side; ++column) {
            appendSines(values, static_cast<double>(column) * scale, dimension / 2);
            appendSines(values, static_cast<double>(row) * scale, dimension / 2);
        }
    }
    return values;
}

class EncoderWriter final
{
public:
    EncoderWriter(const Variant& variant, const EncoderShape& shape, DType compute)
        : m_variant(variant), m_shape(shape), m_compute(compute)
    {
    }

    Result<Graph> write()
    {
        m_times = m_builder.input("timestamps", {DType::Int64, {m_shape.batch, m_shape.steps, 3}});
        std::vector<ValueId> parts;
        for (const std::size_t index : m_variant.seen)
            parts.push_back(modality(modalities()[index]));
        ValueId x = parts.size() == 1 ? parts.front() : m_builder.concatenate(parts, 1);
        for (std::int64_t i = 0; i < m_variant.depth; ++i)
            x = block(x, "blocks." + std::to_string(i));
        m_builder.output(norm(x, "", "norm"), "tokens");
        return m_builder.finish();
    }

private:
    using Shape = std::vector<std::int64_t>;

    ValueId weight(const std::string& name, Shape shape)
    {
        return m_builder.weight(name, {m_compute, std::move(shape)});
    }

    ValueId norm(ValueId x, const std::string& path, const std::string& leaf)
    {
        const ModuleScope scope(m_builder, leaf);
        const std::string name = path + leaf;
        return m_builder.call1("aten::layer_norm",
                               {{"input", ValueRef{x}},
                                {"normalized_shape", Shape{m_variant.width}},
                                {"weight", ValueRef{weight(name + ".weight", {m_variant.width})}},
                                {"bias", ValueRef{weight(name + ".bias", {m_variant.width})}},
                                {"eps", kNormEpsilon}});
    }

    ValueId linear(ValueId x, const std::string& path, const std::string& leaf, std::int64_t out)
    {
        const ModuleScope scope(m_builder, leaf);
        const std::string name = path + leaf;
        const std::int64_t in = m_builder.shape(x).back();
        return m_builder.linear(x, weight(name + ".weight", {out, in}),
                                weight(name + ".bias", {out}));
    }

    // [B, N, D] -> [B, heads, N, D / heads]
    ValueId heads(ValueId x)
    {
        const Shape shape = m_builder.shape(x);
        return m_builder.transpose(m_builder.view(x, {shape[0], shape[1], m_variant.heads,
                                                      m_variant.width / m_variant.heads}),
                                   1, 2);
    }

    ValueId attended(ValueId x, const std::string& path)
    {
        const ModuleScope scope(m_builder, "attn");
        const std::string own = path + "attn.";
        const ValueId q = heads(linear(x, own, "q", m_variant.width));
        const ValueId k = heads(linear(x, own, "k", m_variant.width));
        const ValueId v = heads(linear(x, own, "v", m_variant.width));
        const ValueId y = m_builder.transpose(m_builder.attention(q, k, v), 1, 2);
        return linear(m_builder.reshape(y, m_builder.shape(x)), own, "proj", m_variant.width);
    }

    ValueId block(ValueId x, const std::string& name)
    {
        const ModuleScope scope(m_builder, name);
        const std::string path = name + ".";
        x = m_builder.binary("add", x, attended(norm(x, path, "norm1"), path));
        ValueId y = norm(x, path, "norm2");
        {
            const ModuleScope inner(m_builder, "mlp");
            const std::string own = path + "mlp.";
            y = gelu(m_builder, linear(y, own, "fc1", kMlpRatio * m_variant.width), "none");
            y = linear(y, own, "fc2", m_variant.width);
        }
        return m_builder.binary("add", x, y);
    }

    // [B, H, W, T, bands] -> [B, h, w, T, D] of one bandset.
    ValueId patches(ValueId image, const Modality& modality, std::size_t index)
    {
        const Bandset& bands = modality.bandsets[index];
        const std::int64_t side = m_shape.patches();
        ValueId x = m_builder.slice(image, 4, bands.first, bands.first + bands.count);
        x = m_builder.reshape(
            permute(m_builder, x, {0, 3, 4, 1, 2}),
            {m_shape.batch * m_shape.steps, bands.count, m_shape.tile, m_shape.tile});
        if (m_shape.patch != kLargestPatch)
            x = resized(x, side * kLargestPatch);
        const std::string path = embeddingPath(modality, index);
        {
            const ModuleScope scope(m_builder, path);
            x = conv2d(m_builder, x,
                       weight(path + ".weight",
                              {m_variant.width, bands.count, kLargestPatch, kLargestPatch}),
                       weight(path + ".bias", {m_variant.width}), {.stride = kLargestPatch});
        }
        x = m_builder.view(x, {m_shape.batch, m_shape.steps, m_variant.width, side, side});
        return permute(m_builder, x, {0, 3, 4, 1, 2});
    }

    // The image and not the kernel: bicubic, filtered in both directions. In float32, which every
    // device has a kernel for.
    ValueId resized(ValueId x, std::int64_t side)
    {
        const ValueId wide = m_builder.call1(
            "aten::_upsample_bicubic2d_aa",
            {{"self", ValueRef{m_builder.cast(m_builder.contiguous(x), DType::Float32)}},
             {"output_size", Shape{side, side}},
             {"align_corners", false}});
        return m_builder.cast(wide, m_compute);
    }

    // One quarter of the encoding, spread over [B, h, w, T, bandsets, D / 4].
    ValueId spread(ValueId x, Shape shape, std::int64_t bandsets)
    {
        const std::int64_t side = m_shape.patches();
        shape.push_back(quarter());
        return expand(m_builder, m_builder.view(x, std::move(shape)),
                      {m_shape.batch, side, side, m_shape.steps, bandsets, quarter()});
    }

    ValueId encoding(const Modality& modality)
    {
        const auto bandsets = static_cast<std::int64_t>(modality.bandsets.size());
        const std::int64_t side = m_shape.patches();
        const std::string path = "composite_encodings.";
        const ValueId channel =
            weight(path + "per_modality_channel_embeddings." + std::string(modality.name),
                   {bandsets, quarter()});
        const ValueId time = m_builder.slice(weight(path + "pos_embed", {kMostSteps, quarter()}), 0,
                                             0, m_shape.steps);
        const ValueId month =
            embedding(m_builder, weight(path + "month_embed.weight", {kMostSteps, quarter()}),
                      m_builder.select(m_times, 2, 1));
        if (m_space < 0)
            m_space = m_builder.constant("space", {m_compute, {side * side, quarter()}},
                                         spaceEncoding(side, quarter(), m_shape.patch));
        return m_builder.concatenate(
            {spread(channel, {1, 1, 1, 1, bandsets}, bandsets),
             spread(time, {1, 1, 1, m_shape.steps, 1}, bandsets),
             spread(month, {m_shape.batch, 1, 1, m_shape.steps, 1}, bandsets),
             spread(m_space, {1, side, side, 1, 1}, bandsets)},
            5);
    }

    // [B, N, D]
    ValueId modality(const Modality& modality)
    {
        const ValueId image = m_builder.input(
            std::string(modality.name),
            {m_compute,
             {m_shape.batch, m_shape.tile, m_shape.tile, m_shape.steps, modality.bands}});
        std::vector<ValueId> sets;
        for (std::size_t i = 0; i < modality.bandsets.size(); ++i)
            sets.push_back(patches(image, modality, i));
        const ValueId tokens =
            m_builder.binary("add", m_builder.stack(sets, 4), encoding(modality));
        return m_builder.flatten(tokens, 1, 4);
    }

    [[nodiscard]] std::int64_t quarter() const { return m_variant.width / 4; }

    const Variant& m_variant;
    const EncoderShape& m_shape;
    DType m_compute;
    GraphBuilder m_builder;
    ValueId m_times = -1;
    ValueId m_space = -1;  // one encoding for all modalities
};

class WeightList final
{
public:
    void normal(const std::string& name, std::vector<std::int64_t> shape, double deviation)
    {
        all.push_back({name, std::move(shape), {Initialiser::Kind::Normal, deviation}});
    }
    void linear(const std::string& path, std::int64_t out, std::int64_t in)
    {
        normal(path + ".weight", {out, in}, 1.0 / std::sqrt(static_cast<double>(in)));
        normal(path + ".bias", {out}, 0.02);
    }
    void norm(const std::string& path, std::int64_t width)
    {
        all.push_back({path + ".weight", {width}, {Initialiser::Kind::Constant, 1.0}});
        normal(path + ".bias", {width}, 0.02);
    }
    std::vector<WeightSpec> all;
};

}  // namespace

std::vector<WeightSpec> weightsOf(const Variant& variant)
{
    WeightList weights;
    const std::int64_t width = variant.width;
    for (const std::size_t index : variant.seen) {
        const Modality& modality = modalities()[index];
        for (std::size_t i = 0; i < modality.bandsets.size(); ++i) {
            const std::int64_t bands = modality.bandsets[i].count;
            const std::string path = embeddingPath(modality, i);
            weights.normal(
                path + ".weight", {width, bands, kLargestPatch, kLargestPatch},
                1.0 / std::sqrt(static_cast<double>(bands * kLargestPatch * kLargestPatch)));
            weights.normal(path + ".bias", {width}, 0.02);
        }
        weights.normal("composite_encodings.per_modality_channel_embeddings." +
                           std::string(modality.name),
                       {static_cast<std::int64_t>(modality.bandsets.size()), width / 4}, 0.02);
    }
    weights.normal("composite_encodings.pos_embed", {kMostSteps, width / 4}, 0.7);
    weights.normal("composite_encodings.month_embed.weight", {kMostSteps, width / 4}, 0.7);
    for (std::int64_t i = 0; i < variant.depth; ++i) {
        const std::string path = "blocks." + std::to_string(i) + ".";
        weights.norm(path + "norm1", width);
        for (const char* leaf : {"attn.q", "attn.k", "attn.v", "attn.proj"})
            weights.linear(path + leaf, width, width);
        weights.norm(path + "norm2", width);
        weights.linear(path + "mlp.fc1", kMlpRatio * width, width);
        weights.linear(path + "mlp.fc2", width, kMlpRatio * width);
    }
    weights.norm("norm", width);
    return std::move(weights.all);
}

Result<Graph> buildEncoder(const Variant& variant, const EncoderShape& shape, DType compute)
{
    return EncoderWriter(variant, shape, compute).write();
}

}  // namespace qs::core::olmoearth
