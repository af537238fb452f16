#include "core/model/vitok/blocks.h"

#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"

#include <cmath>
#include <string>

namespace qs::core::vitok {

namespace {

constexpr double kNormEpsilon = 1e-6;
constexpr double kRotaryTheta = 10000.0;

// Cosine and sine of the rotary angles, [B, 1, N, Dh/2] in the working type.
struct Rotary {
    ValueId cosine;
    ValueId sine;
};

class StageWriter final
{
public:
    StageWriter(const Side& side, std::int64_t hidden, const StageShape& shape)
        : m_side(side), m_hidden(hidden), m_shape(shape)
    {
    }

    GraphBuilder& builder() { return m_builder; }

    ValueId weight(const std::string& name, std::vector<std::int64_t> shape)
    {
        return m_builder.weight(name, {m_shape.compute, std::move(shape)});
    }

    ValueId linear(const std::string& path, const std::string& leaf, ValueId x, std::int64_t out,
                   bool bias)
    {
        const ModuleScope scope(m_builder, leaf);
        const std::string name = path + leaf;
        const std::int64_t in = m_builder.shape(x).back();
        return m_builder.linear(x, weight(name + ".weight", {out, in}),
                                bias ? weight(name + ".bias", {out}) : -1);
    }

    // Over the last dimension, computed in float32 and cast back; the weight is up-cast too.
    ValueId rmsNorm(const std::string& path, const std::string& leaf, ValueId x)
    {
        const ModuleScope scope(m_builder, leaf);
        const DType before = m_builder.type(x).dtype;
        const ValueId wide = m_builder.cast(x, DType::Float32);
        const ValueId meanSquare = m_builder.mean(m_builder.power(wide, 2.0), {-1});
        const ValueId scale =
            m_builder.unary("rsqrt", m_builder.scalar("add", meanSquare, kNormEpsilon));
        const ValueId gain = m_builder.cast(
            weight(path + leaf + ".weight", {m_builder.shape(x).back()}), DType::Float32);
        return m_builder.cast(m_builder.binary("mul", m_builder.binary("mul", wide, scale), gain),
                              before);
    }

    Rotary rotary()
    {
        const ModuleScope scope(m_builder, "rope");
        const std::vector<std::int64_t> places{m_shape.batch, m_shape.tokens};
        const ValueId rows = m_builder.input("row_idx", {DType::Int64, places});
        const ValueId columns = m_builder.input("col_idx", {DType::Int64, places});
        // Half of the head width belongs to rows, half to columns; each frequency turns a pair of
        // values.
        const std::int64_t count = m_side.headWidth() / 4;
        std::vector<double> frequencies;
        for (std::int64_t k = 0; k < count; ++k) {
            const float exponent = static_cast<float>(k) / static_cast<float>(count);
            frequencies.push_back(
                static_cast<double>(1.0F / std::pow(static_cast<float>(kRotaryTheta), exponent)));
        }
        const ValueId inverse =
            m_builder.constant("inv_freq", {DType::Float32, {count}}, std::move(frequencies));
        const auto angle = [&](ValueId index) {
            const ValueId position = m_builder.unsqueeze(m_builder.cast(index, DType::Float32), -1);
            return m_builder.binary("mul", position, inverse);
        };
        const ValueId angles = m_builder.concatenate({angle(rows), angle(columns)}, -1);
        const auto table = [&](std::string_view function) {
            return m_builder.unsqueeze(
                m_builder.cast(m_builder.unary(function, angles), m_shape.compute), 1);
        };
        const ValueId cosine = table("cos");
        return {cosine, table("sin")};
    }

    // Which tokens attend to which, for all blocks; to be called once, before them.
    void maskAttention()
    {
        const ModuleScope scope(m_builder, "mask");
        if (m_shape.masked)
            m_mask = m_builder.unsqueeze(pairsOfTokens(), 1);
        if (m_shape.window > 0)
            m_mask = m_shape.masked
                         ? m_builder.call1("aten::logical_and", {{"self", ValueRef{m_mask}},
                                                                 {"other", ValueRef{band()}}})
                         : band();
    }

    ValueId block(const std::string& path, ValueId x, const Rotary& rotary)
    {
        const ValueId normed = rmsNorm(path, "norm1", x);
        const ValueId attended = attention(path + "attn.", normed, rotary);
        const ValueId mixed = swiglu(path + "ffn.", normed);
        const ModuleScope scope(m_builder, "layer_scale");
        const ValueId gamma = weight(path + "layer_scale.gamma", {m_side.width});
        const ValueId sum = m_builder.binary("add", attended, mixed);
        return m_builder.binary("add", x, m_builder.binary("mul", gamma, sum));
    }

    ValueId blocks(const std::string& prefix, ValueId x, const Rotary& rotary)
    {
        for (std::int64_t i = 0; i < m_side.depth; ++i) {
            const std::string path = prefix + "." + std::to_string(i);
            const ModuleScope scope(m_builder, path);
            x = block(path + ".", x, rotary);
        }
        return x;
    }

private:
    // Interleaved pairs: (a, b) -> (a·cos - b·sin, a·sin + b·cos). x [B, H, N, Dh].
    ValueId rotate(ValueId x, const Rotary& rotary)
    {
        std::vector<std::int64_t> pairs = m_builder.shape(x);
        pairs.back() /= 2;
        pairs.push_back(2);
        const std::vector<ValueId> parts = m_builder.unbind(m_builder.reshape(x, pairs), -1);
        const auto times = [&](std::size_t part, ValueId table) {
            return m_builder.binary("mul", parts[part], table);
        };
        // One operation per statement: C++ leaves the order of arguments open.
        const ValueId evenCosine = times(0, rotary.cosine);
        const ValueId even = m_builder.binary("sub", evenCosine, times(1, rotary.sine));
        const ValueId evenSine = times(0, rotary.sine);
        const ValueId odd = m_builder.binary("add", evenSine, times(1, rotary.cosine));
        return m_builder.flatten(m_builder.stack({even, odd}, -1), -2, -1);
    }

    ValueId attention(const std::string& path, ValueId x, const Rotary& rotary)
    {
        const ModuleScope scope(m_builder, "attn");
        const ValueId qkv = linear(path, "qkv_proj", x, 3 * m_side.width, false);
        const std::vector<ValueId> parts =
            m_builder.unbind(m_builder.view(qkv, {m_shape.batch, m_shape.tokens, 3, m_side.heads,
                                                  m_side.headWidth()}),
                             2);
        const ValueId query = m_builder.transpose(rmsNorm(path, "norm_q", parts[0]), 1, 2);
        const ValueId key = m_builder.transpose(rmsNorm(path, "norm_k", parts[1]), 1, 2);
        const ValueId value = m_builder.transpose(parts[2], 1, 2);
        const ValueId rotatedQuery = rotate(query, rotary);
        const ValueId rotatedKey = rotate(key, rotary);
        const ValueId heads =
            core::attention(m_builder, rotatedQuery, rotatedKey, value, {.mask = m_mask});
        const ValueId merged = m_builder.reshape(m_builder.transpose(heads, 1, 2),
                                                 {m_shape.batch, m_shape.tokens, m_side.width});
        return linear(path, "out_proj", merged, m_side.width, false);
    }

    // The first half of fc1 is the value, the second half the gate.
    ValueId swiglu(const std::string& path, ValueId x)
    {
        const ModuleScope scope(m_builder, "ffn");
        const std::vector<ValueId> halves =
            m_builder.chunk(linear(path, "fc1", x, 2 * m_hidden, false), 2, -1);
        const ValueId gated =
            m_builder.binary("mul", m_builder.unary("silu", halves[1]), halves[0]);
        return linear(path, "fc2", gated, m_side.width, false);
    }

    // bool [B, N, N], true where both are tokens.
    ValueId pairsOfTokens()
    {
        const ValueId valid =
            m_builder.input("patch_mask", {DType::Int64, {m_shape.batch, m_shape.tokens}});
        const ValueId down = m_builder.unsqueeze(valid, 2);
        const ValueId across = m_builder.unsqueeze(valid, 1);
        return m_builder.equals(m_builder.binary("mul", down, across), 1.0);
    }

    // bool [1, 1, N, N], true along the diagonal, as wide as the window on both sides.
    ValueId band()
    {
        const ValueId places = arange(m_builder, m_shape.tokens);
        const ValueId down = m_builder.view(places, {1, 1, m_shape.tokens, 1});
        const ValueId across = m_builder.view(places, {1, 1, 1, m_shape.tokens});
        const ValueId distance = m_builder.unary("abs", m_builder.binary("sub", down, across));
        const ValueId reach = m_builder.constant("window", {DType::Int64, {1}},
                                                 {static_cast<double>(m_shape.window)});
        return compare(m_builder, "le", distance, reach);
    }

    GraphBuilder m_builder;
    Side m_side;
    std::int64_t m_hidden;
    StageShape m_shape;
    ValueId m_mask = -1;  // none
};

}  // namespace

Result<Graph> buildEncoder(const Variant& variant, const StageShape& shape)
{
    StageWriter writer(variant.encoder, variant.encoderHidden, shape);
    GraphBuilder& builder = writer.builder();
    const ValueId patches = builder.input(
        "patches", {shape.compute, {shape.batch, shape.tokens, variant.pixelsPerToken()}});
    const Rotary rotary = writer.rotary();
    writer.maskAttention();
    ValueId x = writer.linear("", "patch_embed", patches, variant.encoder.width, true);
    x = writer.blocks("encoder_blocks", x, rotary);
    x = writer.linear("", "to_code", x, variant.channels, true);
    const ModuleScope scope(builder, "output_fn");
    const ValueId normed =
        builder.layerNorm(builder.cast(x, DType::Float32), {variant.channels}, kNormEpsilon);
    builder.output(builder.cast(normed, shape.compute), "code");
    return builder.finish();
}

Result<Graph> buildDecoder(const Variant& variant, const StageShape& shape)
{
    StageWriter writer(variant.decoder, variant.decoderHidden, shape);
    GraphBuilder& builder = writer.builder();
    const ValueId code =
        builder.input("code", {shape.compute, {shape.batch, shape.tokens, variant.channels}});
    const Rotary rotary = writer.rotary();
    writer.maskAttention();
    ValueId x = writer.linear("", "decoder_embed", code, variant.decoder.width, true);
    x = writer.blocks("decoder_blocks", x, rotary);
    builder.output(writer.linear("", "to_pixels", x, variant.pixelsPerToken(), true), "decoded");
    return builder.finish();
}

}  // namespace qs::core::vitok
