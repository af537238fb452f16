// Times the products of layers in kernels of ours, as `fused` runs them, with weights that come
// from memory, and says how much of what the device can do they reach. One JSON line per layer;
// bf16 is the library's product. With --units, by the best units of the device, by plain ones, and
// operation by operation. Shapes are those named, else few rows and the whole table of many rows.
//
//     measure_products [--units] [SCHEME …] [MxKxN …]
//
// A folder in QS_TEST_KERNELS keeps what was compiled and chosen: kernels are then compiled side by
// side, and those of a run that was ended are there for the next.

#include "core/device/peak_rates.h"
#include "core/engine/compile/fused_group.h"
#include "core/engine/compile/kernel_tuning.h"
#include "core/engine/execute/executor.h"
#include "core/engine/internal/backend.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/matrix_product.h"
#include "core/lower/fused/skinny_product.h"
#include "core/quant/scheme.h"
#include "tests/engine/random_tensor.h"
#include "tests/support/scheme_layer.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace qs;

struct Shape {
    std::int64_t m;
    std::int64_t k;
    std::int64_t n;
    bool operator==(const Shape&) const = default;
};

bool isShape(const std::string& argument)
{
    return argument.find_first_not_of("0123456789x") == std::string::npos;
}

std::optional<Shape> parsedShape(const std::string& argument)
{
    Shape shape{};
    int end = 0;
    const int found =
        std::sscanf(argument.c_str(), "%9ldx%9ldx%9ld%n", &shape.m, &shape.k, &shape.n, &end);
    if (found != 3 || argument.c_str()[end] != '\0' || std::min({shape.m, shape.k, shape.n}) == 0)
        return std::nullopt;
    return shape;
}

// With weights of Llama's blocks.
const std::vector<Shape> kFewRows{{1, 2048, 8192},   {4, 2048, 8192},  {16, 2048, 8192},
                                  {1, 8192, 2048},   {16, 8192, 2048}, {1, 4096, 12288},
                                  {16, 4096, 12288}, {1, 4096, 32000}, {8, 4096, 14336}};
// The table of many rows: each weight of these blocks at each number of rows.
constexpr std::array<std::int64_t, 3> kTableRows{256, 4096, 16384};
struct WeightShape {
    std::int64_t n;
    std::int64_t k;
};
constexpr std::array kTableWeights{
    WeightShape{3072, 1024},  WeightShape{1024, 1024},   // ViTok 350M
    WeightShape{5472, 1024},  WeightShape{1024, 2736},   //
    WeightShape{9216, 3072},  WeightShape{3072, 3072},   // ViTok 5B
    WeightShape{16416, 3072}, WeightShape{3072, 8208},   //
    WeightShape{6144, 4096},  WeightShape{4096, 4096},   // Llama 8B
    WeightShape{28672, 4096}, WeightShape{4096, 14336},  //
};

std::vector<Shape> tableShapes()
{
    std::vector<Shape> shapes;
    for (const WeightShape& weight : kTableWeights) {
        for (const std::int64_t rows : kTableRows)
            shapes.push_back({rows, weight.k, weight.n});
    }
    return shapes;
}

bool isOfTable(const Shape& shape)
{
    const std::vector<Shape> table = tableShapes();
    return std::find(table.begin(), table.end(), shape) != table.end();
}

std::vector<std::string> schemesFor(const Shape& shape)
{
    if (shape.m <= core::kSkinnyRows)
        return {"bf16",   "int4wo-128", "int4wo-32", "gptq-int4-128:order=none",
                "int8wo", "float8wo"};
    return {"bf16", "int8dq", "float8dq-row"};
}

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
    nlohmann::json row{{"scheme", scheme},
                       {"units", way.name},
                       {"m", shape.m},
                       {"n", shape.n},
                       {"k", shape.k},
                       {"seconds", seconds},
                       {"bytes", bytes},
                       {"own", layer.isOwn && group.isOwn()},
                       {"table", isOfTable(shape)}};
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

// What is measured: of schemes and of shapes those named, or all where none is.
struct Choice {
    std::vector<Way> ways{kBest};
    std::vector<std::string> schemes;
    std::vector<Shape> shapes;

    [[nodiscard]] bool has(const std::string& scheme) const
    {
        return schemes.empty() ||
               std::find(schemes.begin(), schemes.end(), scheme) != schemes.end();
    }
};

std::optional<Choice> choiceOf(const std::vector<std::string>& arguments)
{
    Choice choice;
    for (const std::string& argument : arguments) {
        if (argument == "--units") {
            choice.ways = {kBest, kPlain, kOperations};
        } else if (!isShape(argument)) {
            choice.schemes.push_back(argument);
        } else {
            const auto shape = parsedShape(argument);
            if (!shape)
                return std::nullopt;
            choice.shapes.push_back(*shape);
        }
    }
    if (choice.shapes.empty()) {
        choice.shapes = kFewRows;
        const std::vector<Shape> table = tableShapes();
        choice.shapes.insert(choice.shapes.end(), table.begin(), table.end());
    }
    return choice;
}

}  // namespace

int main(int argc, char** argv)
{
    const auto choice = choiceOf({argv + 1, argv + argc});
    if (!choice) {
        std::fputs("A shape is MxKxN.\n", stderr);
        return 2;
    }
    auto made = engine::makeCudaBackend(0);
    if (!made.ok()) {
        std::fputs(made.error().message.c_str(), stderr);
        return 3;
    }
    if (const char* folder = std::getenv("QS_TEST_KERNELS"))
        made.value()->keepKernels(folder);
    const c10::InferenceMode guard;
    at::manual_seed(1);
    const core::DeviceDescription device = engine::describeCudaDevices().front();
    for (const Shape& shape : choice->shapes) {
        for (const std::string& scheme : schemesFor(shape)) {
            if (!choice->has(scheme))
                continue;
            for (const Way& way : choice->ways) {
                std::puts(measured(*made.value(), device, scheme, shape, way).dump().c_str());
                std::fflush(stdout);  // whoever ends it has what was measured
            }
        }
    }
    return 0;
}
