#include "core/measure/compile_record.h"

#include "core/base/json_list.h"
#include "core/measure/nanoseconds.h"
#include "core/measure/record_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

namespace {

constexpr double kLargestDistance = 1e300;
constexpr std::int64_t kMostProducts = 1'000'000;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50U;

PartTime partTimeFromJson(const JsonView& json, const std::string& path,
                          std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    PartTime time{.bytes = fields.integer("bytes", 0, 0, kMostBytes),
                  .eagerSeconds = fields.number("eager_s", 0.0, 0.0, kLongestSeconds),
                  .compiledSeconds = fields.number("compiled_s", 0.0, 0.0, kLongestSeconds)};
    if (fields.has("launch_s"))
        time.launchSeconds = fields.number("launch_s", 0.0, 0.0, kLongestSeconds);
    if (fields.has("largest_difference"))
        time.numerics =
            PartNumerics{fields.flag("equal", false), fields.flag("close", false),
                         fields.number("largest_difference", 0.0, 0.0, kLargestDistance)};
    fields.finish();
    return time;
}

CompiledTogether togetherFromJson(const JsonView& json, const std::string& path,
                                  std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    CompiledTogether together{.id = fields.text("id"),
                              .programs =
                                  static_cast<int>(fields.integer("programs", 1, 1, kMostProducts)),
                              .coldSeconds = fields.number("cold_s", 0.0, 0.0, kLongestSeconds),
                              .warmSeconds = fields.number("warm_s", 0.0, 0.0, kLongestSeconds)};
    fields.finish();
    return together;
}

Json choicesJson(const std::vector<KernelChoice>& kernels)
{
    Json list = Json::array();
    for (const KernelChoice& each : kernels) {
        Json one{{"module", each.module}, {"operations", each.operations}, {"calls", each.calls}};
        if (!each.kernel.empty())
            one["kernel"] = each.kernel;
        if (!each.shape.empty())
            one["shape"] = each.shape;
        // Also of a library's, which was chosen among ours.
        if (!each.kernel.empty() || !each.shape.empty())
            one.update({{"seconds", wholeNanoseconds(each.seconds)}, {"kept", each.kept}});
        if (each.why != Unfused::No)
            one["why"] = std::string(kUnfusedNames.of(each.why));
        list.push_back(std::move(one));
    }
    return list;
}

Json partTimeJson(const PartTime& time)
{
    Json json{{"bytes", time.bytes},
              {"eager_s", wholeNanoseconds(time.eagerSeconds)},
              {"compiled_s", wholeNanoseconds(time.compiledSeconds)}};
    if (time.launchSeconds)
        json["launch_s"] = wholeNanoseconds(*time.launchSeconds);
    if (time.numerics)
        json.update({{"equal", time.numerics->equal},
                     {"close", time.numerics->close},
                     {"largest_difference", time.numerics->largestDifference}});
    return json;
}

}  // namespace

bool sameChoices(const std::vector<KernelChoice>& a, const std::vector<KernelChoice>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.kernel == y.kernel && x.shape == y.shape && x.calls == y.calls;
    });
}

Json toJson(const StageCompile& compile)
{
    Json parts = Json::array();
    for (const CompilePart& part : compile.coldParts)
        parts.push_back({{"name", part.name}, {"seconds", wholeNanoseconds(part.seconds)}});
    Json products = Json::array();
    for (const ExecutedProduct& product : compile.products) {
        products.push_back({{"operation", product.operation},
                            {"type", name(product.type)},
                            {"count", product.ran}});
        if (!product.operands.empty())
            products.back()["operands"] = product.operands;
    }
    Json json{{"stage", compile.stage},
              {"content", compile.content},
              {"cold_s", wholeNanoseconds(compile.coldSeconds)},
              {"warm_s", wholeNanoseconds(compile.warmSeconds)},
              {"cold_parts", std::move(parts)},
              {"products", std::move(products)},
              {"from_cache", compile.fromCache},
              {"distance_to_eager", compile.distanceToEager}};
    if (!compile.part.empty())
        json.update({{"part", compile.part}, {"calls", compile.calls}});
    if (compile.distanceLimit)
        json["distance_limit"] = *compile.distanceLimit;
    if (compile.bf16FromFp32)
        json["bf16_from_fp32"] = *compile.bf16FromFp32;
    if (const auto& together = compile.together)
        json["together"] = {{"id", together->id},
                            {"programs", together->programs},
                            {"cold_s", wholeNanoseconds(together->coldSeconds)},
                            {"warm_s", wholeNanoseconds(together->warmSeconds)}};
    if (compile.time)
        json["time"] = partTimeJson(*compile.time);
    if (!compile.kernels.empty())
        json["kernels"] = choicesJson(compile.kernels);
    return json;
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
        product.operands = each.textList("operands");
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
        stage.part = fields.text("part");
        stage.calls = static_cast<int>(fields.integer("calls", 1, 1, kMostProducts));
        if (const JsonView* time = fields.member("time"))
            stage.time = partTimeFromJson(*time, fields.pathOf("time"), issues);
        if (const JsonView* together = fields.member("together"))
            stage.together = togetherFromJson(*together, fields.pathOf("together"), issues);
        stage.coldSeconds = fields.number("cold_s", 0.0, 0.0, kLongestSeconds);
        stage.warmSeconds = fields.number("warm_s", 0.0, 0.0, kLongestSeconds);
        forEachObject(fields, "cold_parts", issues, stage.coldParts, [&](JsonFields& each) {
            stage.coldParts.push_back(
                {each.text("name"), each.number("seconds", 0.0, 0.0, kLongestSeconds)});
        });
        stage.products = compiledProductsFromJson(fields, issues);
        forEachObject(fields, "kernels", issues, stage.kernels, [&](JsonFields& each) {
            const auto why = kUnfusedNames.find(each.text("why"));
            if (!why)
                each.complain("why", "expected one of " + kUnfusedNames.list());
            stage.kernels.push_back(
                {.kernel = each.text("kernel"),
                 .shape = each.text("shape"),
                 .seconds = each.number("seconds", 0.0, 0.0, kLongestSeconds),
                 .kept = each.flag("kept", false),
                 .module = each.text("module"),
                 .operations = each.textList("operations"),
                 .calls = static_cast<int>(each.integer("calls", 1, 0, kMostProducts)),
                 .why = why.value_or(Unfused::No)});
        });
        stage.fromCache = fields.flag("from_cache", false);
        if (fields.has("distance_limit"))
            stage.distanceLimit = fields.number("distance_limit", 0.0, 0.0, kLargestDistance);
        if (fields.has("bf16_from_fp32"))
            stage.bf16FromFp32 = fields.number("bf16_from_fp32", 0.0, 0.0, kLargestDistance);
        stage.distanceToEager = fields.number("distance_to_eager", 0.0, 0.0, kLargestDistance);
        stages.push_back(std::move(stage));
    });
    return stages;
}

}  // namespace qs::core
