#include "core/model/quantized/packed_layout.h"

#include "core/base/json.h"
#include "core/model/quantized/packed_config.h"

#include <nlohmann/json.hpp>

#include <array>
#include <span>
#include <string_view>

namespace qs::core::quantized {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPackedSuffix = ".weight_packed";
constexpr std::int64_t kBitsOfWord = 32;
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 32U;

fs::path configOf(const fs::path& file)
{
    return file.parent_path() / kConfigFile;
}

// The two numbers that weight_shape holds.
Result<std::vector<std::int64_t>> shapeOf(const SafetensorsFile& file, const std::string& name)
{
    QS_TRY(const TensorEntry* entry,
           require(file, name, {{StoredType::I64, StoredType::I32}, {2}}));
    std::array<std::int64_t, 2> wide{};
    if (entry->dtype == StoredType::I64) {
        QS_RETURN_IF_ERROR(file.read(*entry, std::as_writable_bytes(std::span(wide))));
    } else {
        std::array<std::int32_t, 2> narrow{};
        QS_RETURN_IF_ERROR(file.read(*entry, std::as_writable_bytes(std::span(narrow))));
        wide = {narrow[0], narrow[1]};
    }
    for (const std::int64_t extent : wide) {
        if (extent < 1 || extent > kLargestExtent)
            return refuse(file, name + " says " + std::to_string(extent));
    }
    return std::vector<std::int64_t>{wide.begin(), wide.end()};
}

std::string schemeOf(const Packing& packing, StoredType scale)
{
    const std::string rest = restOption(scale);
    if (packing.bits == 8)
        return "int8wo" + rest;
    std::string scheme = "gptq-int4-" + std::to_string(packing.group);
    if (packing.order != ColumnOrder::Solved)
        scheme += packing.order == ColumnOrder::Grouped ? ":order=group" : ":order=none";
    return scheme + rest;
}

// weight_g_idx is there if, and only if, groups are ordered.
Status placeGroups(const SafetensorsFile& file, const std::string& name, const Packing& packing,
                   QuantizedWeight& weight)
{
    const std::string index = name + "_g_idx";
    if (packing.order != ColumnOrder::Grouped) {
        if (file.find(index) != nullptr)
            return refuse(file, index + " is there, but " + std::string(kConfigFile) +
                                    " does not say \"actorder\": \"group\"");
        return {};
    }
    QS_TRY(
        const TensorEntry* entry,
        require(file, index, {{StoredType::I32}, {static_cast<std::uint64_t>(weight.shape[1])}}));
    weight.parts["group"] = {0, entry->name};
    return {};
}

Result<QuantizedWeight> readWeight(const SafetensorsFile& file, const std::string& name,
                                   const Packing& packing)
{
    QuantizedWeight weight;
    QS_TRY(weight.shape, shapeOf(file, name + "_shape"));
    const auto out = static_cast<std::uint64_t>(weight.shape[0]);
    const std::int64_t in = weight.shape[1];
    if (packing.group > 0 && in % packing.group != 0)
        return refuse(file, name + "_shape says " + std::to_string(in) +
                                " columns, which groups of " + std::to_string(packing.group) +
                                " do not divide");
    const auto words =
        static_cast<std::uint64_t>((in * packing.bits + kBitsOfWord - 1) / kBitsOfWord);
    QS_TRY(const TensorEntry* packed,
           require(file, name + "_packed", {{StoredType::I32}, {out, words}}));
    const std::int64_t groups = packing.group > 0 ? in / packing.group : 1;
    QS_TRY(
        const TensorEntry* scale,
        require(file, name + "_scale", {floatTypes(), {out, static_cast<std::uint64_t>(groups)}}));
    if (file.find(name + "_zero_point") != nullptr)
        return refuse(file, name + "_zero_point is there, but " + std::string(kConfigFile) +
                                " says that weights are symmetric");
    weight.scheme = schemeOf(packing, scale->dtype);
    weight.parts["codes"] = {.name = packed->name, .form = StoredForm::Packed};
    weight.parts["scale"] = {.name = scale->name, .form = StoredForm::Numbers};
    QS_RETURN_IF_ERROR(placeGroups(file, name, packing, weight));
    return weight;
}

// By its name, or as one of all linear layers.
Result<Packing> packingOf(const SafetensorsFile& file, const PackedConfig& config,
                          const std::string& module)
{
    if (config.ignored.contains(module))
        return refuse(file, module + ".weight_packed is there, but " + std::string(kConfigFile) +
                                " ignores " + module);
    for (const std::string& target : {module, std::string("Linear")}) {
        if (const auto found = config.modules.find(target); found != config.modules.end())
            return found->second;
    }
    return refuse(file, module + ".weight_packed is there, but " + std::string(kConfigFile) +
                            " has no group with " + module);
}

}  // namespace

bool hasPackedConfig(const fs::path& file)
{
    std::error_code error;
    if (!fs::is_regular_file(configOf(file), error))
        return false;
    const auto json = readJsonFile(configOf(file));
    if (!json.ok() || !json.value().is_object())
        return false;
    const auto member = json.value().find(kConfigKey);
    return member != json.value().end() && member->is_object() &&
           member->value("quant_method", Json()) == "compressed-tensors";
}

Result<QuantizedWeights> packedWeights(const SafetensorsFile& file)
{
    QS_TRY(const PackedConfig config, readPackedConfig(configOf(file.path())));
    QuantizedWeights weights;
    for (const TensorEntry& entry : file.tensors()) {
        if (!entry.name.ends_with(kPackedSuffix))
            continue;
        const std::string module = entry.name.substr(0, entry.name.size() - kPackedSuffix.size());
        QS_TRY(const Packing packing, packingOf(file, config, module));
        QS_TRY(weights[module + ".weight"], readWeight(file, module + ".weight", packing));
    }
    for (const auto& [module, packing] : config.modules) {
        if (module != "Linear" && !weights.contains(module + ".weight"))
            return refuse(file, module + ".weight_packed is missing, which " +
                                    std::string(kConfigFile) + " names");
    }
    return weights;
}

}  // namespace qs::core::quantized
