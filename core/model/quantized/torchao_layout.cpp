#include "core/model/quantized/torchao_layout.h"

#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace qs::core::quantized {

namespace {

constexpr const char* kNamesKey = "tensor_names";
constexpr std::string_view kWeight = "weight";
// A name for each tensor.
constexpr JsonLimits kNamesLimits{.bytes = std::size_t{64} << 20U, .nodes = 2'000'000};

// How the metadata write an object: {"_type": …, "_data": …}.
std::string typeOf(const Json& json)
{
    return json.is_object() && json.contains("_type") && json["_type"].is_string()
               ? json["_type"].get<std::string>()
               : std::string();
}

Json dataOf(const Json& json)
{
    return json.is_object() && json.contains("_data") ? json["_data"] : Json();
}

Json memberOf(const Json& json, const char* name)
{
    return json.is_object() && json.contains(name) ? json[name] : Json();
}

// What a description says of one tensor.
class Description final
{
public:
    Description(const SafetensorsFile& file, std::string name, const Json& json)
        : m_file(file),
          m_name(std::move(name)),
          m_type(typeOf(json)),
          m_data(dataOf(json)),
          m_names(memberOf(json, "_tensor_data_names"))
    {
    }

    [[nodiscard]] const std::string& type() const { return m_type; }

    [[nodiscard]] Result<QuantizedWeight> read() const
    {
        const bool whole = m_type == "Int8Tensor";
        const std::size_t dot = m_name.rfind('.');
        if (dot == std::string::npos || m_name.substr(dot + 1) != kWeight)
            return complain("is no weight of a layer");
        QS_TRY(const bool smooth, isSmooth());
        const std::string stored = m_name.substr(0, dot) + "._weight_";
        QS_TRY(const TensorEntry* codes,
               require(m_file, stored + "qdata",
                       {{whole ? StoredType::I8 : StoredType::F8_E4M3}, {0, 0}}));
        QS_TRY(const bool perRow, scaledByRows(*codes));
        QS_TRY(
            const TensorEntry* scale,
            require(m_file, stored + "scale", {floatTypes(), {perRow ? codes->shape[0] : 1, 1}}));
        QuantizedWeight weight;
        weight.shape.assign(codes->shape.begin(), codes->shape.end());
        QS_TRY(weight.scheme, whole ? int8Scheme(perRow, smooth) : float8Scheme(perRow));
        QS_TRY(const std::string rest, restOfModel());
        weight.scheme += rest;
        weight.parts["codes"] = {.name = codes->name};
        weight.parts["scale"] = {.name = scale->name, .form = StoredForm::Numbers};
        if (smooth) {
            QS_TRY(const TensorEntry* factors,
                   require(m_file, stored + "act_pre_scale", {floatTypes(), {codes->shape[1]}}));
            weight.parts["smooth"] = {.name = factors->name};
        }
        return weight;
    }

private:
    [[nodiscard]] Error complain(const std::string& what) const
    {
        return refuse(m_file, "the metadata say that " + m_name + " " + what);
    }

    // Whether inputs are multiplied by stored factors before they are quantized.
    [[nodiscard]] Result<bool> isSmooth() const
    {
        std::set<std::string> names;
        for (const Json& each : m_names)
            names.insert(each.is_string() ? each.get<std::string>() : std::string());
        const bool smooth = m_type == "Int8Tensor" && names.erase("act_pre_scale") > 0;
        if (names != std::set<std::string>{"qdata", "scale"})
            return complain("consists of " + jsonText(m_names) +
                            ", not of qdata and scale, and act_pre_scale of an Int8Tensor");
        return smooth;
    }

    // block_size: what shares a scale, a row or the whole.
    [[nodiscard]] Result<bool> scaledByRows(const TensorEntry& codes) const
    {
        const Json block = memberOf(m_data, "block_size");
        if (block == Json{1, codes.shape[1]})
            return true;
        if (block == Json{codes.shape[0], codes.shape[1]})
            return false;
        return complain("has scales of blocks of " + jsonText(block) +
                        ", which are neither its rows nor the whole");
    }

    // "": torchao's default of bfloat16.
    [[nodiscard]] Result<std::string> restOfModel() const
    {
        const Json type = memberOf(m_data, "dtype");
        const Json name = dataOf(type);
        if (name == "bfloat16")
            return restOption(StoredType::BF16);
        if (name == "float16")
            return restOption(StoredType::F16);
        if (name == "float32")
            return restOption(StoredType::F32);
        return complain("stands for " + jsonText(type) +
                        ", where bfloat16, float16 and float32 can be read");
    }

    [[nodiscard]] Result<std::string> int8Scheme(bool perRow, bool smooth) const
    {
        const Json activations = memberOf(m_data, "act_quant_kwargs");
        if (!perRow)
            return complain("has one scale for all of its rows");
        if (activations.is_null() && smooth)
            return complain("has inputs that are multiplied by act_pre_scale and not quantized");
        if (activations.is_null())
            return std::string("int8wo");
        const Json rule = dataOf(activations);
        if (typeOf(memberOf(rule, "granularity")) != "PerRow" ||
            dataOf(memberOf(rule, "mapping_type")) != "SYMMETRIC" ||
            memberOf(rule, "reduce_range") == true)
            return complain("has inputs quantized by a rule that is not known here: " +
                            jsonText(activations));
        return std::string(smooth ? "int8sq" : "int8dq");
    }

    [[nodiscard]] Result<std::string> float8Scheme(bool perRow) const
    {
        const Json activations = memberOf(m_data, "act_quant_kwargs");
        if (activations.is_null()) {
            if (!perRow)
                return complain("has one scale for all of its rows");
            return std::string("float8wo");
        }
        const Json rule = dataOf(activations);
        if (typeOf(memberOf(rule, "granularity")) != (perRow ? "PerRow" : "PerTensor") ||
            dataOf(memberOf(rule, "float8_dtype")) != "float8_e4m3fn" ||
            !memberOf(rule, "hp_value_lb").is_null() || !memberOf(rule, "hp_value_ub").is_null())
            return complain("has inputs quantized by a rule that is not known here: " +
                            jsonText(activations));
        return std::string(perRow ? "float8dq-row" : "float8dq-tensor");
    }

    const SafetensorsFile& m_file;
    std::string m_name;
    std::string m_type;
    Json m_data;
    Json m_names;
};

}  // namespace

bool hasTorchAoTexts(const SafetensorsFile& file)
{
    return file.metadata().contains(kNamesKey);
}

Result<QuantizedWeights> torchAoWeights(const SafetensorsFile& file)
{
    const std::string place = file.path().string() + ": metadata ";
    QS_TRY(const Json names, parseJson(textOf(file, kNamesKey), place + kNamesKey, kNamesLimits));
    if (!names.is_array())
        return refuse(file, std::string(kNamesKey) + " of its metadata is no list");
    QuantizedWeights weights;
    for (const Json& each : names) {
        if (!each.is_string())
            return refuse(file, std::string(kNamesKey) + " of its metadata has a name that is " +
                                    jsonText(each));
        const std::string name = each.get<std::string>();
        QS_TRY(const Json json, parseJson(textOf(file, name), place + name));
        const Description description(file, name, json);
        if (description.type() == "Tensor") {
            if (file.find(name) == nullptr)
                return refuse(file, name + " is missing");
        } else if (description.type() == "Int8Tensor" || description.type() == "Float8Tensor") {
            QS_TRY(weights[name], description.read());
        } else {
            return refuse(file, "the metadata say that " + name + " is \"" + description.type() +
                                    "\"; Tensor, Int8Tensor and Float8Tensor can be read here");
        }
    }
    return weights;
}

}  // namespace qs::core::quantized
