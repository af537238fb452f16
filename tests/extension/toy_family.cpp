#include "tests/extension/toy_family.h"

#include "core/graph/layer_operations.h"
#include "core/model/family_registry.h"

#include <charconv>
#include <memory>
#include <string>

namespace qs::tests {

namespace {

using core::DType;
using core::ValueId;

constexpr std::int64_t kWidth = 8;
constexpr std::int64_t kRows = 16;

core::SizeSpec stepsSpec()
{
    return {
        .name = "steps", .description = "Rows that are averaged", .unit = "steps", .fallback = 3};
}

class ToyFamily final : public core::ModelFamily
{
public:
    explicit ToyFamily(std::int64_t classes) : m_classes(classes)
    {
        const core::Initialiser normal{core::Initialiser::Kind::Normal, 1.0};
        m_stages = {{"net",
                     {{"table.weight", {kRows, kWidth}, normal},
                      {"head.weight", {classes, kWidth}, normal}}}};
        m_workload.sizes = {stepsSpec()};
        m_workload.inputs = {
            {.name = "index", .whole = true, .lowest = 0.0, .highest = kRows - 1.0},
            {.name = "scale", .batched = false, .lowest = 0.5, .highest = 2.0}};
        m_workload.outputs = {{"logits", core::OutputKind::Logits},
                              {"passes", core::OutputKind::Tensor}};
        m_workload.judged = "logits";
    }

    const std::vector<core::StageInfo>& stages() const override { return m_stages; }
    const core::Workload& workload() const override { return m_workload; }

    core::Status checkShape(const core::ShapePoint& point) const override
    {
        const std::int64_t steps = point.sizes.find("steps").value_or(0);
        if (point.batch < 1 || steps < 1 || steps > 1000)
            return core::Error{core::ErrorCode::InvalidArgument, "1 to 1000 steps"};
        return {};
    }

    core::Result<core::Graph> buildStage(std::size_t, const core::ShapePoint& point,
                                         DType compute) const override
    {
        core::GraphBuilder b;
        const ValueId index =
            b.input("index", {DType::Int64, {point.batch, point.sizes.at("steps")}});
        const ValueId scale = b.input("scale", {compute, {kWidth}});
        ValueId x = core::embedding(b, b.weight("table.weight", {compute, {kRows, kWidth}}), index);
        x = b.binary("mul", b.select(b.mean(x, {1}), 1, 0), scale);
        {
            const core::ModuleScope scope(b, "head");
            x = b.linear(x, b.weight("head.weight", {compute, {m_classes, kWidth}}));
        }
        b.output(x, "logits");
        const ValueId one = b.constant("one", {DType::Float32, {1}}, {1.0});
        b.output(b.addInPlace(b.state("count", {DType::Float32, {1}}), one), "passes");
        return b.finish();
    }

    core::LayerPlace layerPlace(std::size_t, const std::string&) const override
    {
        return {core::LayerRole::Mlp, 0, 1};
    }

private:
    std::int64_t m_classes;
    std::vector<core::StageInfo> m_stages;
    core::Workload m_workload;
};

core::Result<core::OpenedModel> generate(const std::string& text, std::int64_t seed)
{
    std::int64_t classes = 0;
    std::from_chars(text.data(), text.data() + text.size(), classes);
    if (classes < 1 || classes > 1000)
        return core::Error{core::ErrorCode::InvalidArgument, "toynet:8 has eight classes"};
    core::OpenedModel opened;
    opened.model.variant = std::to_string(classes);
    opened.model.displayName = "Toy net";
    opened.model.family = std::make_shared<ToyFamily>(classes);
    opened.model.contentId = "generated:toynet:" + text + ":" + std::to_string(seed);
    return opened;
}

}  // namespace

void registerToyFamily()
{
    core::familyRegistry().add({.name = "toynet",
                                .description = "A small net for tests",
                                .sizes = {stepsSpec()},
                                .stages = {"net"},
                                .variants = {"8"},
                                .generate = generate});
}

}  // namespace qs::tests
