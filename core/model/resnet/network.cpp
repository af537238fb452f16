#include "core/model/resnet/network.h"

#include "core/graph/layer_operations.h"

#include <cmath>
#include <numeric>
#include <string>

namespace qs::core::resnet {

namespace {

constexpr double kNormEpsilon = 1e-5;

// Calls visit(path, channels in, channels out, stride) for each block: "layer2.0".
template <typename Visit>
void forEachBlock(const Variant& variant, const Visit& visit)
{
    std::int64_t in = variant.width;
    for (std::size_t layer = 0; layer < variant.blocks.size(); ++layer) {
        const std::int64_t out = variant.width << layer;
        for (std::int64_t block = 0; block < variant.blocks[layer]; ++block) {
            const std::int64_t stride = layer > 0 && block == 0 ? 2 : 1;
            visit("layer" + std::to_string(layer + 1) + "." + std::to_string(block), in, out,
                  stride);
            in = out;
        }
    }
}

bool projects(std::int64_t in, std::int64_t out, std::int64_t stride)
{
    return stride != 1 || in != out;
}

struct Kernel {
    std::int64_t out;  // channels
    std::int64_t kernel;
    std::int64_t stride;
};

class NetworkWriter final
{
public:
    explicit NetworkWriter(DType compute) : m_compute(compute) {}

    GraphBuilder& builder() { return m_builder; }

    // Convolution without bias, then batch norm: "layer1.0.conv1" with "layer1.0.bn1".
    ValueId convolved(const std::string& path, const std::string& conv, const std::string& norm,
                      ValueId x, const Kernel& shape)
    {
        const std::int64_t in = m_builder.shape(x)[1];
        ValueId y = -1;
        {
            const ModuleScope scope(m_builder, conv);
            y = conv2d(m_builder, x,
                       weight(path + conv + ".weight", {shape.out, in, shape.kernel, shape.kernel}),
                       -1, {.stride = shape.stride, .padding = shape.kernel / 2});
        }
        const ModuleScope scope(m_builder, norm);
        const std::string name = path + norm;
        const ValueId factor = weight(name + ".weight", {shape.out});
        const ValueId bias = weight(name + ".bias", {shape.out});
        const ValueId mean = weight(name + ".running_mean", {shape.out});
        const ValueId variance = weight(name + ".running_var", {shape.out});
        return batchNorm(m_builder, y, {factor, bias, mean, variance}, kNormEpsilon);
    }

    ValueId block(const std::string& name, ValueId x, std::int64_t in, std::int64_t out,
                  std::int64_t stride)
    {
        const ModuleScope scope(m_builder, name);
        const std::string path = name + ".";
        const ValueId first =
            m_builder.unary("relu", convolved(path, "conv1", "bn1", x, {out, 3, stride}));
        const ValueId second = convolved(path, "conv2", "bn2", first, {out, 3, 1});
        const ValueId identity =
            projects(in, out, stride)
                ? convolved(path, "downsample.0", "downsample.1", x, {out, 1, stride})
                : x;
        return m_builder.unary("relu", m_builder.binary("add", second, identity));
    }

    ValueId head(ValueId x, std::int64_t classes)
    {
        const ValueId pooled = m_builder.flatten(adaptiveAveragePool2d(m_builder, x, 1), 1, -1);
        const ModuleScope scope(m_builder, "fc");
        const ValueId factor = weight("fc.weight", {classes, m_builder.shape(pooled)[1]});
        return m_builder.linear(pooled, factor, weight("fc.bias", {classes}));
    }

private:
    ValueId weight(const std::string& name, std::vector<std::int64_t> shape)
    {
        return m_builder.weight(name, {m_compute, std::move(shape)});
    }

    GraphBuilder m_builder;
    DType m_compute;
};

void addConvolution(std::vector<WeightSpec>& weights, const std::string& name, std::int64_t in,
                    std::int64_t out, std::int64_t kernel)
{
    // Keeps the variance of what a ReLU leaves (He et al. 2015).
    const double deviation = std::sqrt(2.0 / static_cast<double>(in * kernel * kernel));
    weights.push_back(
        {name + ".weight", {out, in, kernel, kernel}, {Initialiser::Kind::Normal, deviation}});
}

void addNorm(std::vector<WeightSpec>& weights, const std::string& name, std::int64_t channels)
{
    const auto constant = [&](const char* leaf, double value, bool buffer) {
        weights.push_back({name + leaf, {channels}, {Initialiser::Kind::Constant, value}, buffer});
    };
    constant(".weight", 1.0, false);
    weights.push_back({name + ".bias", {channels}, {Initialiser::Kind::Normal, 0.02}});
    weights.push_back({name + ".running_mean", {channels}, {Initialiser::Kind::Normal, 0.1}, true});
    constant(".running_var", 1.0, true);
}

}  // namespace

std::int64_t Variant::blockCount() const
{
    return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
}

std::vector<WeightSpec> weightsOf(const Variant& variant)
{
    std::vector<WeightSpec> weights;
    addConvolution(weights, "conv1", 3, variant.width, 7);
    addNorm(weights, "bn1", variant.width);
    forEachBlock(variant, [&](const std::string& path, std::int64_t in, std::int64_t out,
                              std::int64_t stride) {
        addConvolution(weights, path + ".conv1", in, out, 3);
        addNorm(weights, path + ".bn1", out);
        addConvolution(weights, path + ".conv2", out, out, 3);
        addNorm(weights, path + ".bn2", out);
        if (projects(in, out, stride)) {
            addConvolution(weights, path + ".downsample.0", in, out, 1);
            addNorm(weights, path + ".downsample.1", out);
        }
    });
    const std::int64_t features = variant.width << (variant.blocks.size() - 1);
    weights.push_back(
        {"fc.weight",
         {variant.classes, features},
         {Initialiser::Kind::Normal, 1.0 / std::sqrt(static_cast<double>(features))}});
    weights.push_back({"fc.bias", {variant.classes}, {Initialiser::Kind::Normal, 0.02}});
    return weights;
}

Result<Graph> buildNetwork(const Variant& variant, std::int64_t batch, std::int64_t side,
                           DType compute)
{
    NetworkWriter writer(compute);
    GraphBuilder& builder = writer.builder();
    const ValueId image = builder.input("image", {compute, {batch, 3, side, side}});
    ValueId x =
        builder.unary("relu", writer.convolved("", "conv1", "bn1", image, {variant.width, 7, 2}));
    x = maxPool2d(builder, x, 3, 2, 1);
    forEachBlock(variant, [&](const std::string& path, std::int64_t in, std::int64_t out,
                              std::int64_t stride) { x = writer.block(path, x, in, out, stride); });
    builder.output(writer.head(x, variant.classes), "logits");
    return builder.finish();
}

}  // namespace qs::core::resnet
