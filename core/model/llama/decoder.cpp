#include "core/model/llama/decoder.h"

#include "core/graph/layer_operations.h"
#include "core/model/rope/pair_rotation.h"

#include <cmath>
#include <string>

namespace qs::core::llama {

namespace {

// What the two stages differ in.
struct Sequence {
    std::int64_t length;  // of the tokens that come in
    ValueId positions;    // int64 [length]
    ValueId mask;         // of the cached entries that are attended to; -1: causal among themselves
};

class DecoderWriter final
{
public:
    DecoderWriter(const Config& config, const StageShape& shape) : m_config(config), m_shape(shape)
    {
    }

    GraphBuilder& builder() { return m_builder; }

    ValueId token() { return m_builder.state("token", {DType::Int64, {m_shape.batch, 1}}); }
    ValueId position() { return m_builder.state("position", {DType::Int64, {1}}); }
    ValueId generated()
    {
        return m_builder.state("generated_tokens",
                               {DType::Int64, {m_shape.batch, m_shape.newTokens}});
    }

    // tokens [B, N] -> logits [B, V] of the last of them, or [B, N, V] where nothing is generated.
    ValueId logits(ValueId tokens, const Sequence& sequence)
    {
        ValueId x = -1;
        {
            const ModuleScope scope(m_builder, "model.embed_tokens");
            x = embedding(m_builder, table(), tokens);
        }
        const RotaryTable turn = rotary(sequence.positions);
        for (std::int64_t i = 0; i < m_config.layers; ++i) {
            const std::string path = "model.layers." + std::to_string(i);
            const ModuleScope scope(m_builder, path);
            x = layer(path + ".", x, turn, sequence);
        }
        if (!m_shape.reads())
            x = m_builder.select(x, 1, sequence.length - 1);
        x = rmsNorm("", "model.norm", x);
        const ModuleScope scope(m_builder, "lm_head");
        const ValueId head = m_config.tied
                                 ? table()
                                 : weight("lm_head.weight", {m_config.vocabulary, m_config.hidden});
        return m_builder.linear(x, head);
    }

    // The likeliest token becomes the next one and takes its place among those generated, which are
    // returned.
    ValueId choose(ValueId logits, ValueId place)
    {
        const ModuleScope scope(m_builder, "choice");
        const ValueId best = m_builder.unsqueeze(argmax(m_builder, logits, -1), -1);
        copyInPlace(m_builder, token(), best);
        return indexCopyInPlace(m_builder, generated(), 1, place, best);
    }

private:
    ValueId weight(const std::string& name, std::vector<std::int64_t> shape)
    {
        return m_builder.weight(name, {m_shape.compute, std::move(shape)});
    }

    ValueId table()
    {
        return weight("model.embed_tokens.weight", {m_config.vocabulary, m_config.hidden});
    }

    ValueId linear(const std::string& path, const std::string& leaf, ValueId x, std::int64_t out,
                   bool bias = false)
    {
        const ModuleScope scope(m_builder, leaf);
        const std::string name = path + leaf;
        const ValueId factor = weight(name + ".weight", {out, m_builder.shape(x).back()});
        return m_builder.linear(x, factor, bias ? weight(name + ".bias", {out}) : -1);
    }

    // Computed in float32 and cast back; the gain is multiplied in the working type.
    ValueId rmsNorm(const std::string& path, const std::string& leaf, ValueId x)
    {
        const ModuleScope scope(m_builder, leaf);
        const ValueId wide = m_builder.cast(x, DType::Float32);
        const ValueId meanSquare = m_builder.mean(m_builder.power(wide, 2.0), {-1});
        const ValueId scale =
            m_builder.unary("rsqrt", m_builder.scalar("add", meanSquare, m_config.epsilon));
        const ValueId normed =
            m_builder.cast(m_builder.binary("mul", wide, scale), m_shape.compute);
        return m_builder.binary("mul", weight(path + leaf + ".weight", {m_config.hidden}), normed);
    }

    RotaryTable rotary(ValueId positions)
    {
        const ModuleScope scope(m_builder, "model.rotary_emb");
        return rotaryTable(m_builder, inverseFrequencies(m_config), positions, DType::Float32,
                           m_shape.compute);
    }

    ValueId layer(const std::string& path, ValueId x, const RotaryTable& rotary,
                  const Sequence& sequence)
    {
        const ValueId normed = rmsNorm(path, "input_layernorm", x);
        x = m_builder.binary("add", x, attended(path + "self_attn.", normed, rotary, sequence));
        const ValueId again = rmsNorm(path, "post_attention_layernorm", x);
        return m_builder.binary("add", x, feedForward(path + "mlp.", again));
    }

    // Pairs (a, b) -> (a·cos - b·sin, b·cos + a·sin): halves of the head, or neighbours. x [B, H,
    // N, Dh].
    ValueId turned(ValueId x, const RotaryTable& rotary)
    {
        if (m_config.pairs)
            return turnPairs(m_builder, x, rotary);
        const std::vector<ValueId> parts = m_builder.chunk(x, 2, -1);
        const auto times = [&](std::size_t part, ValueId table) {
            return m_builder.binary("mul", parts[part], table);
        };
        // One operation per statement: C++ leaves the order of arguments open.
        const ValueId firstCosine = times(0, rotary.cosine);
        const ValueId first = m_builder.binary("sub", firstCosine, times(1, rotary.sine));
        const ValueId secondCosine = times(1, rotary.cosine);
        const ValueId second = m_builder.binary("add", secondCosine, times(0, rotary.sine));
        return m_builder.concatenate({first, second}, -1);
    }

    // [B, N, heads · Dh] -> [B, heads, N, Dh]
    ValueId split(ValueId x, std::int64_t heads, const Sequence& sequence)
    {
        return m_builder.transpose(
            m_builder.view(x, {m_shape.batch, sequence.length, heads, m_config.headWidth}), 1, 2);
    }

    // Writes into the cache of that name; returns all of it.
    ValueId cached(const std::string& name, ValueId entries, const Sequence& sequence)
    {
        const ValueId cache = m_builder.state(
            name, {m_shape.compute,
                   {m_shape.batch, m_config.keyHeads, m_shape.positions(), m_config.headWidth}});
        return indexCopyInPlace(m_builder, cache, 2, sequence.positions, entries);
    }

    ValueId attended(const std::string& path, ValueId x, const RotaryTable& rotary,
                     const Sequence& sequence)
    {
        const ModuleScope scope(m_builder, "self_attn");
        const std::int64_t width = m_config.heads * m_config.headWidth;
        const std::int64_t keyWidth = m_config.keyHeads * m_config.headWidth;
        const bool bias = m_config.projectionBias;
        const ValueId query = linear(path, "q_proj", x, width, bias);
        const ValueId key = linear(path, "k_proj", x, keyWidth, bias);
        const ValueId value = linear(path, "v_proj", x, keyWidth, bias);
        const ValueId turnedQuery = turned(split(query, m_config.heads, sequence), rotary);
        const ValueId turnedKey = turned(split(key, m_config.keyHeads, sequence), rotary);
        const ValueId splitValue = split(value, m_config.keyHeads, sequence);
        const bool causal = sequence.mask < 0;
        ValueId keys = turnedKey;
        ValueId values = splitValue;
        if (!m_shape.reads()) {
            const ValueId allKeys = cached(path + "key_cache", turnedKey, sequence);
            const ValueId allValues = cached(path + "value_cache", splitValue, sequence);
            keys = causal ? keys : allKeys;
            values = causal ? values : allValues;
        }
        const ValueId heads = attention(m_builder, turnedQuery, keys, values,
                                        {.mask = sequence.mask,
                                         .causal = causal,
                                         .grouped = m_config.heads != m_config.keyHeads});
        const ValueId merged = m_builder.reshape(m_builder.transpose(heads, 1, 2),
                                                 {m_shape.batch, sequence.length, width});
        return linear(path, "o_proj", merged, m_config.hidden);
    }

    // down(silu(gate(x)) · up(x))
    ValueId feedForward(const std::string& path, ValueId x)
    {
        const ModuleScope scope(m_builder, "mlp");
        const ValueId gate = linear(path, "gate_proj", x, m_config.feedForward);
        const ValueId open = m_builder.unary("silu", gate);
        const ValueId up = linear(path, "up_proj", x, m_config.feedForward);
        return linear(path, "down_proj", m_builder.binary("mul", open, up), m_config.hidden);
    }

    GraphBuilder m_builder;
    Config m_config;
    StageShape m_shape;
};

Initialiser normal(double deviation)
{
    return {Initialiser::Kind::Normal, deviation};
}

void addLinear(std::vector<WeightSpec>& weights, const std::string& name, std::int64_t in,
               std::int64_t out, bool bias = false)
{
    weights.push_back(
        {name + ".weight", {out, in}, normal(1.0 / std::sqrt(static_cast<double>(in)))});
    if (bias)
        weights.push_back({name + ".bias", {out}, normal(0.02)});
}

// x + number, from 0 to `most`; as whole numbers, so that the position stays int64. A compiler
// tries the stage with a position of 0, which must be a place, too.
ValueId shifted(GraphBuilder& builder, ValueId x, std::int64_t number, std::int64_t most)
{
    const ValueId sum =
        builder.call1("aten::add.Scalar", {{"self", ValueRef{x}}, {"other", number}});
    return builder.call1("aten::clamp",
                         {{"self", ValueRef{sum}}, {"min", std::int64_t{0}}, {"max", most}});
}

}  // namespace

std::vector<WeightSpec> weightsOf(const Config& config)
{
    const Initialiser one{Initialiser::Kind::Constant, 1.0};
    const Initialiser table = normal(1.0 / std::sqrt(static_cast<double>(config.hidden)));
    std::vector<WeightSpec> weights;
    weights.push_back({"model.embed_tokens.weight", {config.vocabulary, config.hidden}, table});
    const std::int64_t width = config.heads * config.headWidth;
    const std::int64_t keyWidth = config.keyHeads * config.headWidth;
    for (std::int64_t i = 0; i < config.layers; ++i) {
        const std::string path = "model.layers." + std::to_string(i) + ".";
        weights.push_back({path + "input_layernorm.weight", {config.hidden}, one});
        addLinear(weights, path + "self_attn.q_proj", config.hidden, width, config.projectionBias);
        addLinear(weights, path + "self_attn.k_proj", config.hidden, keyWidth,
                  config.projectionBias);
        addLinear(weights, path + "self_attn.v_proj", config.hidden, keyWidth,
                  config.projectionBias);
        addLinear(weights, path + "self_attn.o_proj", width, config.hidden);
        weights.push_back({path + "post_attention_layernorm.weight", {config.hidden}, one});
        addLinear(weights, path + "mlp.gate_proj", config.hidden, config.feedForward);
        addLinear(weights, path + "mlp.up_proj", config.hidden, config.feedForward);
        addLinear(weights, path + "mlp.down_proj", config.feedForward, config.hidden);
    }
    weights.push_back({"model.norm.weight", {config.hidden}, one});
    if (!config.tied)
        addLinear(weights, "lm_head", config.hidden, config.vocabulary);
    return weights;
}

Result<Graph> buildPrefill(const Config& config, const StageShape& shape)
{
    DecoderWriter writer(config, shape);
    GraphBuilder& builder = writer.builder();
    const ValueId tokens =
        builder.input("tokens", {DType::Int64, {shape.batch, shape.promptTokens}});
    const ValueId positions = arange(builder, shape.promptTokens);
    const ValueId logits = writer.logits(tokens, {shape.promptTokens, positions, -1});
    builder.output(logits, "prompt_logits");
    if (shape.reads())
        return builder.finish();
    writer.choose(logits, builder.constant("first", {DType::Int64, {1}}, {0.0}));
    fillInPlace(builder, writer.position(), shape.promptTokens);
    return builder.finish();
}

Result<Graph> buildDecode(const Config& config, const StageShape& shape)
{
    DecoderWriter writer(config, shape);
    GraphBuilder& builder = writer.builder();
    const ValueId position = writer.position();
    // Entries up to this position are there.
    const ValueId mask =
        builder.view(compare(builder, "le", arange(builder, shape.positions()), position),
                     {1, 1, 1, shape.positions()});
    const ValueId logits = writer.logits(writer.token(), {1, position, mask});
    builder.output(logits, "logits");
    const ValueId place = shifted(builder, position, 1 - shape.promptTokens, shape.newTokens - 1);
    builder.output(writer.choose(logits, place), "generated");
    copyInPlace(builder, position, shifted(builder, position, 1, shape.positions() - 1));
    return builder.finish();
}

}  // namespace qs::core::llama
