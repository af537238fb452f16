#include "tests/support/quantized_files.h"

#include "core/base/files.h"
#include "core/model/vitok/variant.h"
#include "core/model/vitok/vitok.h"

#include <cstdint>

namespace qs::tests {

using core::StoredType;
using nlohmann::json;

void QuantizedFiles::write(const std::filesystem::path& folder) const
{
    weights.write(folder / "model.safetensors");
    if (!config.is_null())
        QS_ASSERT(core::writeFileAtomically(folder / "config.json", config.dump()).ok());
}

QuantizedFiles plainFiles()
{
    QuantizedFiles files;
    files.weights.metadata = {{"architecture", kQuantizedArchitecture}, {"trained", "yes"}};
    const auto variant =
        core::vitok::parseVariant(std::string(kQuantizedArchitecture).substr(6)).value();
    const auto family = core::vitok::makeFamily(variant);
    for (const core::StageInfo& stage : family->stages()) {
        for (const core::WeightSpec& spec : stage.weights)
            files.weights.add(stage.name + "." + spec.name, StoredType::BF16,
                              {spec.shape.begin(), spec.shape.end()});
    }
    return files;
}

void setScheme(QuantizedFiles& files, const std::string& scheme)
{
    files.weights.metadata["schemes"] = json{{kQuantizedWeight, scheme}}.dump();
}

QuantizedFiles ownLayoutFiles()
{
    QuantizedFiles files = plainFiles();
    files.weights.metadata["format"] = "quantscope-quantized";
    files.weights.metadata["version"] = "1";
    setScheme(files, "int8wo");
    const auto shape = files.weights.tensors.at(kQuantizedWeight).shape;
    files.weights.tensors.erase(kQuantizedWeight);
    files.weights.add(kQuantizedWeight + ":codes", StoredType::I8, shape);
    files.weights.add(kQuantizedWeight + ":scale", StoredType::F32, {shape[0], 1});
    return files;
}

QuantizedFiles packedFiles()
{
    QuantizedFiles files = plainFiles();
    const auto shape = files.weights.tensors.at(kQuantizedWeight).shape;
    files.weights.tensors.erase(kQuantizedWeight);
    files.weights.metadata["format"] = "pt";
    files.weights.add(kQuantizedWeight + "_packed", StoredType::I32, {shape[0], shape[1] / 8});
    files.weights.add(kQuantizedWeight + "_scale", StoredType::BF16, {shape[0], shape[1] / 32});
    files.weights.add(kQuantizedWeight + "_shape", StoredType::I64, {2});
    files.weights.put(kQuantizedWeight + "_shape", 0, static_cast<std::int64_t>(shape[0]));
    files.weights.put(kQuantizedWeight + "_shape", 1, static_cast<std::int64_t>(shape[1]));
    files.weights.add(kQuantizedWeight + "_g_idx", StoredType::I32, {shape[1]});
    const json weights{{"num_bits", 4},       {"type", "int"},    {"symmetric", true},
                       {"strategy", "group"}, {"group_size", 32}, {"actorder", "group"},
                       {"dynamic", false}};
    const json group{{"targets", json::array({kQuantizedModule})}, {"weights", weights}};
    files.config["quantization_config"] = {{"quant_method", "compressed-tensors"},
                                           {"format", "pack-quantized"},
                                           {"config_groups", {{"group_0", group}}},
                                           {"ignore", json::array()}};
    return files;
}

}  // namespace qs::tests
