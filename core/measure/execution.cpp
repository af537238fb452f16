#include "core/measure/execution.h"

#include "core/base/json_enum.h"
#include "core/base/json_list.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

namespace {

constexpr int kMostLayers = 1'000'000;
constexpr int kMostCores = 1'000'000;

Json productsToJson(const std::vector<ExecutedProduct>& products)
{
    Json list = Json::array();
    for (const ExecutedProduct& each : products) {
        list.push_back(
            {{"operation", each.operation}, {"type", name(each.type)}, {"ran", each.ran}});
        if (each.expected)
            list.back()["expected"] = *each.expected;
    }
    return list;
}

Json toJson(const StrayLayers& layers)
{
    return {{"module", layers.module},
            {"weight_shape", layers.weightShape},
            {"calls", layers.calls},
            {"operation", layers.operation},
            {"type", name(layers.type)}};
}

DType typeFrom(JsonFields& fields)
{
    const std::string type = fields.text("type");
    const auto dtype = parseDType(type);
    if (!dtype)
        fields.complain("type", "unknown type \"" + type + "\"");
    return dtype.value_or(DType::Float32);
}

StrayLayers strayFrom(JsonFields& fields)
{
    StrayLayers layers;
    layers.module = fields.text("module");
    layers.calls = static_cast<int>(fields.integer("calls", 1, 1, kMostLayers));
    layers.operation = fields.text("operation");
    layers.type = typeFrom(fields);
    if (const JsonView* shape = fields.member("weight_shape"))
        shape->forEachItem([&](const JsonView& each) {
            const auto extent = each.wholeNumber();
            if (!extent || *extent < 0)
                fields.complain("weight_shape", "expected whole numbers");
            layers.weightShape.push_back(extent.value_or(0));
        });
    return layers;
}

ExecutedProduct productFrom(JsonFields& fields)
{
    ExecutedProduct product;
    product.operation = fields.text("operation");
    product.type = typeFrom(fields);
    product.ran = static_cast<int>(fields.integer("ran", 0, 0, kMostLayers));
    if (fields.has("expected"))
        product.expected = static_cast<int>(fields.integer("expected", 0, 0, kMostLayers));
    return product;
}

}  // namespace

bool ExecutedStage::mismatch() const
{
    return std::any_of(products.begin(), products.end(),
                       [](const ExecutedProduct& each) { return each.mismatch(); });
}

bool anyMismatch(const std::vector<ExecutedStage>& stages)
{
    return std::any_of(stages.begin(), stages.end(),
                       [](const ExecutedStage& stage) { return stage.mismatch(); });
}

std::vector<ExecutedProduct> productsOf(const std::vector<ExecutedStage>& stages)
{
    std::vector<ExecutedProduct> all;
    for (const ExecutedStage& stage : stages) {
        for (const ExecutedProduct& product : stage.products) {
            const auto same =
                std::find_if(all.begin(), all.end(), [&](const ExecutedProduct& each) {
                    return each.operation == product.operation && each.type == product.type;
                });
            if (same == all.end()) {
                all.push_back(product);
                continue;
            }
            same->ran += product.ran;
            if (product.expected)
                same->expected = same->expected.value_or(0) + *product.expected;
        }
    }
    return all;
}

Json toJson(const std::vector<ExecutedStage>& stages)
{
    Json list = Json::array();
    for (const ExecutedStage& stage : stages) {
        list.push_back({{"stage", stage.stage},
                        {"scheme", stage.scheme},
                        {"matched", stage.matched},
                        {"layers", stage.layers},
                        {"activation_rule", stage.activationRule},
                        {"products", productsToJson(stage.products)}});
        for (const StrayLayers& each : stage.strays)
            list.back()["strays"].push_back(toJson(each));
    }
    return list;
}

std::vector<ExecutedStage> executedFromJson(JsonFields& parent, std::string_view name,
                                            std::vector<JsonIssue>& issues)
{
    std::vector<ExecutedStage> stages;
    forEachObject(parent, name, issues, stages, [&](JsonFields& fields) {
        ExecutedStage stage;
        stage.stage = fields.text("stage");
        stage.scheme = fields.text("scheme");
        stage.matched = static_cast<int>(fields.integer("matched", 0, 0, kMostLayers));
        stage.layers = static_cast<int>(fields.integer("layers", 0, 0, kMostLayers));
        stage.activationRule = fields.text("activation_rule");
        forEachObject(fields, "products", issues, stage.products,
                      [&](JsonFields& each) { stage.products.push_back(productFrom(each)); });
        forEachObject(fields, "strays", issues, stage.strays,
                      [&](JsonFields& each) { stage.strays.push_back(strayFrom(each)); });
        stages.push_back(std::move(stage));
    });
    return stages;
}

Json toJson(const Conditions& conditions)
{
    Json json{{"l2_cache", kCacheNames.of(conditions.cache)},
              {"stream_held", conditions.streamHeld},
              {"inputs", name(conditions.inputs)}};
    if (conditions.core)
        json["core"] = *conditions.core;
    return json;
}

Conditions conditionsFromJson(const JsonView& json, const std::string& path,
                              std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    Conditions conditions;
    conditions.cache = readEnum(fields, "l2_cache", kCacheNames, CacheState::Warm);
    conditions.streamHeld = fields.flag("stream_held", false);
    conditions.inputs = readEnum(fields, "inputs", kInputPlacements, InputResidency::Device);
    if (fields.has("core"))
        conditions.core = static_cast<int>(fields.integer("core", 0, 0, kMostCores));
    fields.finish();
    return conditions;
}

}  // namespace qs::core
