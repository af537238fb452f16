#include "core/quant/checkpoint_format.h"

#include "core/model/quantized/checkpoint.h"
#include "core/model/quantized/layout.h"
#include "core/quant/rest_of_model.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

namespace {

bool isGptq(const Scheme& scheme)
{
    return scheme->name == "gptq-int4";
}

// Neither format says that a model of 32 bits is narrowed as it runs.
std::optional<std::string> restObjection(const Scheme& scheme)
{
    if (workingTypeOf(scheme) == productTypeOf(scheme))
        return std::nullopt;
    return "the format cannot say rest=autocast of " + scheme.text();
}

std::optional<std::string> packedObjection(const LayerRow& row)
{
    if (!isGptq(row.scheme) && row.scheme->name != "int8wo")
        return "pack-quantized holds weights of gptq-int4 and int8wo, not of " + row.scheme.text();
    if (isGptq(row.scheme) && row.inFeatures % row.scheme.whole("group") != 0)
        return "pack-quantized has no shorter last group, and the group does not divide " +
               std::to_string(row.inFeatures) + " input features";
    if (row.kind != LayerKind::Linear)
        return std::string("pack-quantized holds linear layers alone");
    return restObjection(row.scheme);
}

// What torchao has a tensor class for, with these numerics. How a weight became what is stored does
// not matter.
bool hasTorchAoTensor(const Scheme& scheme)
{
    const std::string& name = scheme->name;
    if (name == "int8dq")
        return scheme.word("rule") == "full" && scheme.word("by") == "reciprocal";
    if (name == "int8sq")
        return scheme.word("by") == "reciprocal";
    if (name == "float8dq-row" || name == "float8dq-tensor")
        return scheme.word("scale") == "working" && scheme.word("by") == "division";
    return name == "int8wo" || name == "float8wo";
}

std::optional<std::string> torchAoObjection(const LayerRow& row)
{
    const std::string& name = row.scheme->name;
    if (name == "int8-static")
        return "torchao's Int8Tensor rounds products twice, " + row.scheme.text() +
               " rounds them once: its outputs would be others there";
    if (name == "gptq-int4" || name == "int4wo")
        return "torchao's Int4Tensor is read by GPU kernels of mslk alone, and nothing else says "
               "what its values stand for: " +
               row.scheme.text() + " could not be checked";
    if (!hasTorchAoTensor(row.scheme))
        return "torchao has no tensor for " + row.scheme.text();
    if (row.kind != LayerKind::Linear)
        return std::string("torchao's tensors hold linear layers alone");
    return restObjection(row.scheme);
}

std::optional<std::string> objectionTo(CheckpointFormat format, const LayerRow& row)
{
    switch (format) {
    case CheckpointFormat::QuantScope:
    case CheckpointFormat::ExportedProgram:
        return std::nullopt;
    case CheckpointFormat::CompressedTensors:
        return packedObjection(row);
    case CheckpointFormat::TorchAo:
        break;
    }
    return torchAoObjection(row);
}

std::string moduleName(const ModelFamily& family, const LayerRow& row)
{
    return quantized::weightPrefix(family, row.stage) + row.module;
}

// Layers of stages that share weights are there once.
std::vector<const LayerRow*> ownLayers(const ModelFamily& family,
                                       const std::vector<LayerRow>& layers)
{
    std::vector<const LayerRow*> own;
    for (const LayerRow& row : layers) {
        if (!family.stages()[row.stage].sharedWith)
            own.push_back(&row);
    }
    return own;
}

Json typed(const char* type, Json data)
{
    return {{"_type", type}, {"_data", std::move(data)}};
}

Json int8Tensor(const LayerRow& row)
{
    const bool smooth = row.scheme->name == "int8sq";
    Json activations;
    if (smooth || row.scheme->name == "int8dq")
        activations = typed("QuantizeTensorToInt8Kwargs",
                            {{"granularity", typed("PerRow", {{"dim", -1}})},
                             {"mapping_type", typed("MappingType", "SYMMETRIC")},
                             {"reduce_range", false}});
    Json names{"qdata", "scale"};
    if (smooth)
        names.insert(names.begin(), "act_pre_scale");
    return {{"_type", "Int8Tensor"},
            {"_data",
             {{"act_quant_kwargs", std::move(activations)},
              {"reduce_range", false},
              {"block_size", {1, row.inFeatures}},
              {"dtype", typed("torch.dtype", name(workingTypeOf(row.scheme)))}}},
            {"_tensor_data_names", std::move(names)}};
}

Json float8Tensor(const LayerRow& row)
{
    const bool perTensor = row.scheme->name == "float8dq-tensor";
    const Json kernel = typed("KernelPreference", "AUTO");
    const Json granularity =
        perTensor ? typed("PerTensor", Json::object()) : typed("PerRow", {{"dim", -1}});
    Json activations;
    if (row.scheme->name != "float8wo")
        activations = typed("QuantizeTensorToFloat8Kwargs",
                            {{"float8_dtype", typed("torch.dtype", "float8_e4m3fn")},
                             {"granularity", granularity},
                             {"mm_config", nullptr},
                             {"hp_value_lb", nullptr},
                             {"hp_value_ub", nullptr},
                             {"kernel_preference", kernel}});
    return {{"_type", "Float8Tensor"},
            {"_data",
             {{"block_size", {perTensor ? row.outFeatures : 1, row.inFeatures}},
              {"mm_config", nullptr},
              {"act_quant_kwargs", std::move(activations)},
              {"kernel_preference", kernel},
              {"dtype", typed("torch.dtype", name(workingTypeOf(row.scheme)))}}},
            {"_tensor_data_names", {"qdata", "scale"}}};
}

// How compressed-tensors describes the weights of a scheme.
Json packedWeights(const Scheme& scheme)
{
    const bool gptq = isGptq(scheme);
    Json order;
    if (gptq && scheme.word("order") != "none")
        order = scheme.word("order") == "group" ? "group" : "weight";
    return {{"num_bits", gptq ? 4 : 8},
            {"type", "int"},
            {"symmetric", true},
            {"strategy", gptq ? "group" : "channel"},
            {"group_size", gptq ? Json(scheme.whole("group")) : Json()},
            {"actorder", std::move(order)},
            {"block_structure", nullptr},
            {"dynamic", false},
            {"observer", "minmax"},
            {"observer_kwargs", Json::object()}};
}

}  // namespace

std::optional<std::string> formatObjection(CheckpointFormat format,
                                           const std::vector<LayerRow>& layers)
{
    for (const LayerRow& row : layers) {
        if (!row.quantized())
            continue;
        if (const auto objection = objectionTo(format, row))
            return row.module + ": " + *objection;
        const bool oneName =
            format == CheckpointFormat::CompressedTensors || format == CheckpointFormat::TorchAo;
        if (row.keepsWeight && oneName)
            return row.module + ": its weight is read as it is as well, under the same name";
    }
    return std::nullopt;
}

std::optional<std::string> modelObjection(CheckpointFormat format, const Model& model)
{
    if (format != CheckpointFormat::QuantScope || !quantized::architectureOf(model).empty())
        return std::nullopt;
    return model.reference + " is a model that no name makes, and a checkpoint has nothing but a "
                             "name for the architecture: write it as pt2";
}

namespace {

// What tells a reader of ours what the file is a model of.
CheckpointTexts modelTexts(const Model& model)
{
    return {{quantized::kArchitectureKey, quantized::architectureOf(model)},
            {quantized::kTrainedKey, model.trained() ? "yes" : "no"}};
}

}  // namespace

CheckpointTexts quantScopeTexts(const Model& model, const std::vector<LayerRow>& layers)
{
    Json schemes = Json::object();
    for (const LayerRow* row : ownLayers(*model.family, layers)) {
        if (row->quantized())
            schemes[quantized::weightPrefix(*model.family, row->stage) + row->weight] =
                row->scheme.text();
    }
    CheckpointTexts texts = modelTexts(model);
    texts.merge(CheckpointTexts{{"format", quantized::kLayout},
                                {"version", quantized::kLayoutVersion},
                                {"content", model.contentId},
                                {"schemes", jsonText(schemes)}});
    return texts;
}

CheckpointTexts packedTexts(const Model& model)
{
    CheckpointTexts texts = modelTexts(model);
    texts["format"] = "pt";
    return texts;
}

CheckpointTexts torchAoTexts(const Model& model, const std::vector<LayerRow>& layers,
                             const std::vector<std::string>& names)
{
    const ModelFamily& family = *model.family;
    CheckpointTexts texts = modelTexts(model);
    Json all = names;
    for (const std::string& name : names)
        texts[name] = jsonText(Json{{"_type", "Tensor"}});
    for (const LayerRow* row : ownLayers(family, layers)) {
        if (!row->quantized())
            continue;
        const std::string name = quantized::weightPrefix(family, row->stage) + row->weight;
        texts[name] =
            jsonText(row->scheme->name.starts_with("int8") ? int8Tensor(*row) : float8Tensor(*row));
        all.push_back(name);
    }
    texts["tensor_names"] = jsonText(all);
    return texts;
}

Json compressedTensorsConfig(const ModelFamily& family, const std::vector<LayerRow>& layers)
{
    std::map<std::string, Json> groups;  // by the text of the scheme
    Json ignored = Json::array();
    for (const LayerRow* row : ownLayers(family, layers)) {
        if (!row->quantized()) {
            ignored.push_back(moduleName(family, *row));
            continue;
        }
        Json& group = groups[row->scheme.text()];
        if (group.is_null())
            group = {{"targets", Json::array()},
                     {"weights", packedWeights(row->scheme)},
                     {"input_activations", nullptr},
                     {"output_activations", nullptr}};
        group["targets"].push_back(moduleName(family, *row));
    }
    Json named = Json::object();
    for (auto& [text, group] : groups)
        named["group_" + std::to_string(named.size())] = std::move(group);
    return {{"quantization_config",
             {{"quant_method", "compressed-tensors"},
              {"format", "pack-quantized"},
              {"quantization_status", "compressed"},
              {"config_groups", std::move(named)},
              {"ignore", std::move(ignored)},
              {"kv_cache_scheme", nullptr},
              {"global_compression_ratio", nullptr}}}};
}

}  // namespace qs::core
