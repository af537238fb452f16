// Times the products of layers in kernels of ours, as `fused` runs them, with weights that come
// from memory, and says how much of what the device can do they reach. One JSON line per layer;
// bf16 is the library's product. With --units, by the best units of the device, by plain ones, and
// operation by operation.
//
//     measure_products [--units] [SCHEME …] [MxKxN …]

#include "core/device/peak_rates.h"
#include "core/engine/compile/fused_group.h"
#include "core/engine/compile/kernel_tuning.h"
#include "core/engine/execute/executor.h"
#include "core/engine/internal/backend.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/matrix_product.h"
#include "core/quant/scheme.h"
#include "tests/engine/random_tensor.h"
#include "tests/support/scheme_layer.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace qs;

struct Shape {
    std::int64_t m;
    std::int64_t k;
    std::int64_t n;
};

std::string nameOf(const Shape& shape)
{
    return std::to_string(shape.m) + "x" + std::to_string(shape.k) + "x" + std::to_string(shape.n);
}

bool isShape(const std::string& argument)
{
    return argument.find_first_not_of("0123456789x") == std::string::npos;
}

// Few rows, with weights of Llama's blocks.
const std::vector<Shape> kFewRows{{1, 2048, 8192},   {4, 2048, 8192},  {16, 2048, 8192},
                                  {1, 8192, 2048},   {16, 8192, 2048}, {1, 4096, 12288},
                                  {16, 4096, 12288}, {1, 4096, 32000}, {8, 4096, 14336}};
// ViTok 350M at batch 1 and 64, ViTok 5B at 16, Llama 8B at 256 and 4096 tokens.
const std::vector<Shape> kManyRows{{256, 1024, 3072},   {256, 1024, 1024},   {256, 2736, 1024},
                                   {256, 1024, 5472},   {16384, 1024, 3072}, {16384, 1024, 1024},
                                   {16384, 2736, 1024}, {16384, 1024, 5472}, {4096, 3072, 9216},
                                   {4096, 8208, 3072},  {256, 4096, 6144},   {4096, 4096, 6144},
                                   {256, 14336, 4096},  {4096, 14336, 4096}};

// The program of a layer that multiplies, and which of its inputs are weights.
struct Layer {
    core::Graph graph;
    std::vector<bool> weights;
    bool isOwn = true;
};

// How a layer is computed.
struct Way {
    const char* name;
    const char* compile;
    bool byOperations = false;
};
constexpr Way kBest{"best", "fused"};
constexpr Way kPlain{"plain", "fused:units=plain"};
constexpr Way kOperations{"operations", "fused", true};

Layer productOf(const std::string& scheme, const Shape& shape, const Way& way,
                const core::DeviceDescription& device)
{
    core::StageProgram program =
        tests::layerStage(core::parseScheme(scheme).value(), {shape.m, shape.k}, shape.n, false);
    program.compile = core::parseCompileMode(way.compile).value();
    const core::RegionStage stage = core::fusedStage(program, device).value();
    const auto weights = core::weightInputs(stage);
    for (std::size_t i = 0; i < stage.programs.size(); ++i) {
        const core::Graph& graph = stage.programs[i].graph;
        if (std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const core::Node& node) {
                return core::multipliesMatrices(graph, node);
            }))
            return {graph, weights[i], !way.byOperations};
    }
    // The library's product: of the widened weight.
    core::GraphBuilder b;
    const auto x = b.input("x", {core::DType::BFloat16, {shape.m, shape.k}});
    const auto w = b.input("w", {core::DType::BFloat16, {shape.n, shape.k}});
    b.output(b.linear(x, w), "y");
    return {b.finish().value(), {false, true}, false};
}

// As passes have it: rows of codes begin at whole lines of the cache.
at::Tensor placed(const at::Tensor& tensor)
{
    if (tensor.dim() != 2 || tensor.element_size() != 1)
        return tensor;
    at::Tensor rows =
        at::empty({tensor.size(0), core::linePitch(tensor.size(1))}, tensor.options());
    rows = rows.narrow(1, 0, tensor.size(1));
    rows.copy_(tensor);
    return rows;
}

nlohmann::json measured(engine::Backend& backend, const core::DeviceDescription& device,
                        const std::string& scheme, const Shape& shape, const Way& way)
{
    const Layer layer = productOf(scheme, shape, way, device);
    engine::Tensors inputs;
    double bytes = 2.0 * static_cast<double>(shape.m * shape.n);
    for (const core::ValueId id : layer.graph.inputs) {
        inputs.push_back(
            placed(tests::randomTensor(layer.graph.value(id).type).to(backend.device())));
        bytes += static_cast<double>(inputs.back().nbytes());
    }
    const core::ProductUnits most = core::mostUnits(core::parseCompileMode(way.compile).value());
    auto group =
        engine::FusedGroup::create(layer.graph, backend, device, layer.weights, most).value();
    const auto library = engine::Executor::create(layer.graph, {}, backend.device()).value();
    const auto call = [&](const engine::Tensors& given) {
        static_cast<void>(layer.isOwn ? group.run(given) : library.run(given));
    };
    const double seconds =
        engine::leastSeconds(backend, call, engine::withWeightsOfTheirOwn(inputs, layer.weights))
            .value();
    nlohmann::json row{{"scheme", scheme}, {"units", way.name},
                       {"m", shape.m},     {"n", shape.n},
                       {"k", shape.k},     {"seconds", seconds},
                       {"bytes", bytes},   {"own", layer.isOwn && group.isOwn()}};
    if (layer.isOwn && !group.choices().empty())
        row["shape"] = group.choices().front().shape;
    if (const auto rates = core::publishedPeakRates(device)) {
        const core::PeakClass peak = core::parseScheme(scheme).value()->peak;
        const double products = 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) *
                                static_cast<double>(shape.k);
        const double roof = std::max(bytes / rates->memory, products / core::rateOf(*rates, peak));
        row["of_roof"] = roof / seconds;
    }
    return row;
}

}  // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> arguments(argv + 1, argv + argc);
    std::vector<Way> ways{kBest};
    if (std::erase(arguments, "--units") > 0)
        ways = {kBest, kPlain, kOperations};
    // Of schemes and of shapes: any, if none is named.
    const auto isWanted = [&](const std::string& name) {
        const auto isSuch = [&](const std::string& each) { return isShape(each) == isShape(name); };
        return std::none_of(arguments.begin(), arguments.end(), isSuch) ||
               std::find(arguments.begin(), arguments.end(), name) != arguments.end();
    };
    auto made = engine::makeCudaBackend(0);
    if (!made.ok()) {
        std::fputs(made.error().message.c_str(), stderr);
        return 3;
    }
    const c10::InferenceMode guard;
    at::manual_seed(1);
    const core::DeviceDescription device = engine::describeCudaDevices().front();
    const auto measureAll = [&](const std::vector<Shape>& shapes,
                                const std::vector<std::string>& schemes) {
        for (const Shape& shape : shapes) {
            for (const std::string& scheme : schemes) {
                if (!isWanted(scheme) || !isWanted(nameOf(shape)))
                    continue;
                for (const Way& way : ways) {
                    std::puts(measured(*made.value(), device, scheme, shape, way).dump().c_str());
                    std::fflush(stdout);  // whoever ends it has what was measured
                }
            }
        }
    };
    measureAll(kFewRows, {"bf16", "int4wo-128", "int4wo-32", "gptq-int4-128:order=none", "int8wo",
                          "float8wo"});
    measureAll(kManyRows, {"bf16", "int8dq", "float8dq-row"});
    return 0;
}
