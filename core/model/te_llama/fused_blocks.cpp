#include "core/model/te_llama/fused_blocks.h"

#include "core/graph/layer_operations.h"
#include "core/model/rope/pair_rotation.h"

#include <cmath>
#include <limits>
#include <string>

namespace qs::core::te_llama {

namespace {

// The last norm of the benchmark has no epsilon of its own: PyTorch takes float32's.
constexpr double kLastEpsilon = std::numeric_limits<float>::epsilon();

class ForwardWriter final
{
public:
    ForwardWriter(const Variant& variant, const ForwardShape& shape)
        : m_config(variant.config), m_variant(variant), m_shape(shape)
    {
    }

    Result<Graph> write()
    {
        const RotaryTable table = tableOf();
        ValueId x = begin();
        for (std::int64_t i = 0; i < m_config.layers; ++i) {
            const std::string path = "layers." + std::to_string(i);
            const ModuleScope scope(m_builder, path);
            x = layer(path + ".", x, table);
        }
        end(x);
        return m_builder.finish();
    }

private:
    ValueId weight(const std::string& name, std::vector<std::int64_t> shape)
    {
        return m_builder.weight(name, {m_shape.compute, std::move(shape)});
    }

    ValueId begin()
    {
        if (m_variant.blocksAlone)
            return m_builder.input(
                "hidden", {m_shape.compute, {m_shape.batch, m_shape.sequence, m_config.hidden}});
        const ValueId tokens =
            m_builder.input("tokens", {DType::Int64, {m_shape.batch, m_shape.sequence}});
        const ModuleScope scope(m_builder, "embedding");
        return embedding(
            m_builder, weight("embedding.weight", {m_config.vocabulary, m_config.hidden}), tokens);
    }

    void end(ValueId x)
    {
        if (m_variant.blocksAlone) {
            m_builder.output(x, "states");
            return;
        }
        x = rmsNorm("", "norm", x, m_variant.exact ? m_config.epsilon : kLastEpsilon);
        const ModuleScope scope(m_builder, "lm_head");
        const ValueId logits =
            m_builder.linear(x, weight("lm_head.weight", {m_config.vocabulary, m_config.hidden}));
        m_builder.output(m_builder.select(logits, 1, m_shape.sequence - 1), "logits");
    }

    RotaryTable tableOf()
    {
        const ModuleScope scope(m_builder, "rotary");
        const DType type = m_variant.exact ? DType::Float32 : m_shape.compute;
        const RotaryTable table =
            rotaryTable(m_builder, llama::inverseFrequencies(m_config),
                        arange(m_builder, m_shape.sequence), type, m_shape.compute);
        return m_variant.exact ? table : RotaryTable{table.sine, table.cosine};
    }

    ValueId linear(const std::string& path, const std::string& leaf, ValueId x, std::int64_t out)
    {
        const ModuleScope scope(m_builder, leaf);
        return m_builder.linear(x,
                                weight(path + leaf + ".weight", {out, m_builder.shape(x).back()}));
    }

    // Computed in float32, gain included, and cast back.
    ValueId rmsNorm(const std::string& path, const std::string& leaf, ValueId x, double epsilon)
    {
        const ModuleScope scope(m_builder, leaf);
        const ValueId wide = m_builder.cast(x, DType::Float32);
        const ValueId meanSquare = m_builder.mean(m_builder.power(wide, 2.0), {-1});
        const ValueId scale =
            m_builder.unary("rsqrt", m_builder.scalar("add", meanSquare, epsilon));
        const ValueId normed = m_builder.binary("mul", wide, scale);
        const ValueId gain =
            m_builder.cast(weight(path + leaf + ".weight", {m_config.hidden}), DType::Float32);
        return m_builder.cast(m_builder.binary("mul", normed, gain), m_shape.compute);
    }

    ValueId layer(const std::string& path, ValueId x, const RotaryTable& table)
    {
        const ValueId normed = rmsNorm(path, "input_norm", x, m_config.epsilon);
        x = m_builder.binary("add", x, attended(path, normed, table));
        const ValueId again = rmsNorm(path, "mlp_norm", x, m_config.epsilon);
        return m_builder.binary("add", x, feedForward(path, again));
    }

    // Heads [first, first + count) of [B, S, heads, Dh] -> [B, count, S, Dh]
    ValueId heads(ValueId all, std::int64_t first, std::int64_t count)
    {
        return m_builder.transpose(m_builder.slice(all, 2, first, first + count), 1, 2);
    }

    ValueId attended(const std::string& path, ValueId x, const RotaryTable& table)
    {
        const std::int64_t width = m_config.heads * m_config.headWidth;
        const std::int64_t all = m_config.heads + 2 * m_config.keyHeads;
        const ValueId fused = linear(path, "qkv", x, all * m_config.headWidth);
        ValueId merged = -1;
        {
            const ModuleScope scope(m_builder, "attention");
            const ValueId split =
                m_builder.view(fused, {m_shape.batch, m_shape.sequence, all, m_config.headWidth});
            const ValueId query = heads(split, 0, m_config.heads);
            const ValueId key = heads(split, m_config.heads, m_config.keyHeads);
            const ValueId value =
                heads(split, m_config.heads + m_config.keyHeads, m_config.keyHeads);
            const ValueId turnedQuery = turnPairs(m_builder, query, table);
            const ValueId turnedKey = turnPairs(m_builder, key, table);
            const ValueId mixed =
                attention(m_builder, turnedQuery, turnedKey, value,
                          {.causal = true, .grouped = m_config.heads != m_config.keyHeads});
            merged = m_builder.reshape(m_builder.transpose(mixed, 1, 2),
                                       {m_shape.batch, m_shape.sequence, width});
        }
        return linear(path, "out", merged, m_config.hidden);
    }

    // The first half of what comes in is the gate.
    ValueId feedForward(const std::string& path, ValueId x)
    {
        const ValueId wide = linear(path, "fc1", x, 2 * m_config.feedForward);
        ValueId gated = -1;
        {
            const ModuleScope scope(m_builder, "activation");
            const std::vector<ValueId> halves = m_builder.chunk(wide, 2, -1);
            gated = m_builder.binary("mul", m_builder.unary("silu", halves[0]), halves[1]);
        }
        return linear(path, "fc2", gated, m_config.hidden);
    }

    GraphBuilder m_builder;
    llama::Config m_config;
    Variant m_variant;
    ForwardShape m_shape;
};

void addMatrix(std::vector<WeightSpec>& weights, const std::string& name, std::int64_t out,
               std::int64_t in)
{
    const double deviation = 1.0 / std::sqrt(static_cast<double>(in));
    weights.push_back({name + ".weight", {out, in}, {Initialiser::Kind::Normal, deviation}});
}

}  // namespace

std::vector<WeightSpec> weightsOf(const Variant& variant)
{
    const llama::Config& config = variant.config;
    const Initialiser one{Initialiser::Kind::Constant, 1.0};
    const std::int64_t width = config.heads * config.headWidth;
    std::vector<WeightSpec> weights;
    if (!variant.blocksAlone)
        addMatrix(weights, "embedding", config.vocabulary, config.hidden);
    for (std::int64_t i = 0; i < config.layers; ++i) {
        const std::string path = "layers." + std::to_string(i) + ".";
        weights.push_back({path + "input_norm.weight", {config.hidden}, one});
        addMatrix(weights, path + "qkv", width + 2 * config.keyHeads * config.headWidth,
                  config.hidden);
        addMatrix(weights, path + "out", config.hidden, width);
        weights.push_back({path + "mlp_norm.weight", {config.hidden}, one});
        addMatrix(weights, path + "fc1", 2 * config.feedForward, config.hidden);
        addMatrix(weights, path + "fc2", config.hidden, config.feedForward);
    }
    if (variant.blocksAlone)
        return weights;
    weights.push_back({"norm.weight", {config.hidden}, one});
    addMatrix(weights, "lm_head", config.vocabulary, config.hidden);
    return weights;
}

Result<Graph> buildForward(const Variant& variant, const ForwardShape& shape)
{
    return ForwardWriter(variant, shape).write();
}

}  // namespace qs::core::te_llama
