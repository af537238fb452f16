#include "core/model/quantized/packed_config.h"

#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

namespace qs::core::quantized {

namespace {

// Names of thousands of layers.
constexpr JsonLimits kLimits{.bytes = std::size_t{64} << 20U, .nodes = 2'000'000};
constexpr std::int64_t kLongestGroup = std::int64_t{1} << 20U;

void expectText(JsonFields& fields, std::string_view name, std::string_view wanted)
{
    const std::string text = fields.text(name);
    if (text != wanted)
        fields.complain(name, "\"" + text + "\" cannot be read here, only \"" +
                                  std::string(wanted) + "\"");
}

void expectNull(JsonFields& fields, std::string_view name, const char* why)
{
    const Json* value = fields.find(name);
    if (value != nullptr && !value->is_null())
        fields.complain(name, why);
}

ColumnOrder readOrder(JsonFields& weights)
{
    const Json* value = weights.find("actorder");
    if (value == nullptr || value->is_null())
        return ColumnOrder::AsTheyLie;
    const std::string text = weights.text("actorder");
    if (text == "group")
        return ColumnOrder::Grouped;
    if (text != "weight" && text != "static")
        weights.complain("actorder", "null, \"weight\", \"static\" and \"group\" are known");
    return ColumnOrder::Solved;
}

Packing readPacking(JsonFields& weights)
{
    Packing packing;
    packing.bits = weights.integer("num_bits", 0, 0, 64);
    expectText(weights, "type", "int");
    if (!weights.flag("symmetric", true))
        weights.complain("symmetric", "weights with zero points cannot be read here");
    if (weights.flag("dynamic", false))
        weights.complain("dynamic", "a stored weight cannot be quantized dynamically");
    if (packing.bits == 8) {
        expectText(weights, "strategy", "channel");
        return packing;
    }
    if (packing.bits != 4) {
        weights.complain("num_bits", "4 and 8 can be read here");
        return packing;
    }
    expectText(weights, "strategy", "group");
    packing.group = weights.integer("group_size", 0, 1, kLongestGroup);
    packing.order = readOrder(weights);
    return packing;
}

void readGroup(JsonFields& group, PackedConfig& config)
{
    constexpr const char* kWeightsAlone = "only weights can be quantized in a file that is packed";
    expectNull(group, "input_activations", kWeightsAlone);
    expectNull(group, "output_activations", kWeightsAlone);
    const Json* weights = group.require("weights");
    if (weights == nullptr)
        return;
    JsonFields fields(*weights, group.pathOf("weights"), group.issues());
    const Packing packing = readPacking(fields);
    for (const std::string& target : group.textList("targets")) {
        if (target.starts_with("re:"))
            group.complain("targets", "patterns cannot be read here, write the names of layers");
        else if (!config.modules.emplace(target, packing).second)
            group.complain("targets", target + " is in two groups");
    }
}

}  // namespace

Result<PackedConfig> readPackedConfig(const std::filesystem::path& path)
{
    QS_TRY(const Json json, readJsonFile(path, kLimits));
    std::vector<JsonIssue> issues;
    PackedConfig config;
    JsonFields document(json, "$", issues);
    if (const Json* member = document.require(kConfigKey)) {
        JsonFields fields(*member, document.pathOf(kConfigKey), issues);
        expectText(fields, "quant_method", "compressed-tensors");
        expectText(fields, "format", "pack-quantized");
        for (const std::string& module : fields.textList("ignore"))
            config.ignored.insert(module);
        const Json* groups = fields.require("config_groups");
        if (groups != nullptr && groups->is_object()) {
            for (const auto& [name, group] : groups->items()) {
                JsonFields each(group, fields.pathOf("config_groups") + "." + name, issues);
                readGroup(each, config);
            }
        } else if (groups != nullptr) {
            fields.complain("config_groups", "expected an object");
        }
    }
    if (!issues.empty())
        return Error{ErrorCode::Format, path.string() + ": " + formatIssues(issues) +
                                            "\nCorrect it, or write the checkpoint again"};
    return config;
}

}  // namespace qs::core::quantized
