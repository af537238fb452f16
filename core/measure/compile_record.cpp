#include "core/measure/compile_record.h"

#include "core/base/json_list.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

constexpr double kLongestSeconds = 1e9;
constexpr double kLargestDistance = 1e300;
constexpr std::int64_t kMostProducts = 1'000'000;

}  // namespace

Json toJson(const StageCompile& compile)
{
    Json parts = Json::array();
    for (const CompilePart& part : compile.coldParts)
        parts.push_back({{"name", part.name}, {"seconds", part.seconds}});
    Json products = Json::array();
    for (const ExecutedProduct& product : compile.products)
        products.push_back({{"operation", product.operation},
                            {"type", name(product.type)},
                            {"count", product.ran}});
    return {{"stage", compile.stage},          {"content", compile.content},
            {"cold_s", compile.coldSeconds},   {"warm_s", compile.warmSeconds},
            {"cold_parts", std::move(parts)},  {"products", std::move(products)},
            {"from_cache", compile.fromCache}, {"distance_to_eager", compile.distanceToEager}};
}

std::vector<ExecutedProduct> compiledProductsFromJson(JsonFields& parent,
                                                      std::vector<JsonIssue>& issues)
{
    std::vector<ExecutedProduct> products;
    forEachObject(parent, "products", issues, products, [&](JsonFields& each) {
        ExecutedProduct product;
        product.operation = each.text("operation");
        const auto type = parseDType(each.text("type"));
        if (!type)
            each.complain("type", "expected a type such as bfloat16");
        product.type = type.value_or(DType::Float32);
        product.ran = static_cast<int>(each.integer("count", 0, 0, kMostProducts));
        products.push_back(std::move(product));
    });
    return products;
}

std::vector<StageCompile> compilesFromJson(JsonFields& parent, std::string_view name,
                                           std::vector<JsonIssue>& issues)
{
    std::vector<StageCompile> stages;
    forEachObject(parent, name, issues, stages, [&](JsonFields& fields) {
        StageCompile stage;
        stage.stage = fields.text("stage");
        stage.content = fields.text("content");
        stage.coldSeconds = fields.number("cold_s", 0.0, 0.0, kLongestSeconds);
        stage.warmSeconds = fields.number("warm_s", 0.0, 0.0, kLongestSeconds);
        forEachObject(fields, "cold_parts", issues, stage.coldParts, [&](JsonFields& each) {
            stage.coldParts.push_back(
                {each.text("name"), each.number("seconds", 0.0, 0.0, kLongestSeconds)});
        });
        stage.products = compiledProductsFromJson(fields, issues);
        stage.fromCache = fields.flag("from_cache", false);
        stage.distanceToEager = fields.number("distance_to_eager", 0.0, 0.0, kLargestDistance);
        stages.push_back(std::move(stage));
    });
    return stages;
}

}  // namespace qs::core
