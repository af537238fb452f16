#include "core/engine/quantize/checkpoint_writer.h"

#include "core/base/atomic_file.h"
#include "core/base/files.h"
#include "core/engine/internal/torch_types.h"
#include "core/graph/exported/program_writer.h"
#include "core/lower/reference.h"
#include "core/model/quantized/checkpoint.h"
#include "core/quant/rest_of_model.h"
#include "core/quant/stored_weights.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/tensor.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>
#include <variant>

namespace qs::engine {

using core::CheckpointFormat;
using core::Error;
using core::ErrorCode;
using core::LayerRow;
using core::Result;
using core::Status;
using core::StoredType;
using core::TensorToWrite;

namespace {

constexpr const char* kWeightsFile = "model.safetensors";
constexpr const char* kConfigFile = "config.json";
// What a folder of Hugging Face's has beside weights and configuration.
constexpr const char* kCompanions[] = {
    "tokenizer.json",     "tokenizer.model",    "tokenizer_config.json", "special_tokens_map.json",
    "vocab.json",         "merges.txt",         "added_tokens.json",     "generation_config.json",
    "chat_template.json", "chat_template.jinja"};
constexpr std::uint64_t kMostCompanionBytes = std::uint64_t{64} << 20U;
constexpr std::string_view kWeightSuffix = ".weight";

Status giveBytes(const at::Tensor& tensor, const core::TextSink& sink)
{
    const at::Tensor host = tensor.cpu().contiguous();
    return sink({static_cast<const char*>(host.const_data_ptr()), host.nbytes()});
}

// `make` is asked when the turn of the tensor comes.
TensorToWrite made(const std::string& name, StoredType type, std::vector<std::uint64_t> shape,
                   std::function<at::Tensor()> make)
{
    return {name, type, std::move(shape), [make = std::move(make)](const core::TextSink& sink) {
                return giveBytes(make(), sink);
            }};
}

TensorToWrite asItIs(const std::string& name, const at::Tensor& tensor)
{
    return made(name, core::storedTypeOf(fromTorch(tensor.scalar_type())),
                {tensor.sizes().begin(), tensor.sizes().end()}, [tensor] { return tensor; });
}

// What a quantized weight becomes in a format.
using LayerTensors = std::function<void(const LayerRow& row, const std::string& name,
                                        const NamedTensors& parts, std::vector<TensorToWrite>&)>;

const at::Tensor& partOf(const LayerRow& row, const NamedTensors& tensors, const char* part)
{
    return tensors.at(row.weight + ":" + part);
}

void addAsStored(const LayerRow& row, const std::string& name, const NamedTensors& tensors,
                 std::vector<TensorToWrite>& all)
{
    for (const core::StoredPart& part :
         row.scheme->stored(row.scheme, row.outFeatures, row.inFeatures))
        all.push_back(
            asItIs(core::storedName(name, part), tensors.at(core::storedName(row.weight, part))));
}

// torchao keeps both dimensions of a scale.
void addAsTorchAo(const LayerRow& row, const std::string& name, const NamedTensors& tensors,
                  std::vector<TensorToWrite>& all)
{
    const std::string module = name.substr(0, name.size() - kWeightSuffix.size());
    const at::Tensor& scale = partOf(row, tensors, "scale");
    all.push_back(asItIs(module + "._weight_qdata", partOf(row, tensors, "codes")));
    all.push_back(
        asItIs(module + "._weight_scale", scale.dim() == 0 ? scale.reshape({1, 1}) : scale));
    if (tensors.contains(row.weight + ":smooth"))
        all.push_back(asItIs(module + "._weight_act_pre_scale", partOf(row, tensors, "smooth")));
}

// Bytes of codes from 0 in the order of their columns, the first in the lowest bits, as int32: what
// four bytes in a row are on a machine that has the lowest byte first, as files have it.
at::Tensor packedInt32(const at::Tensor& bytes)
{
    constexpr std::int64_t kPerInt = 4;
    const std::int64_t missing = (kPerInt - bytes.size(1) % kPerInt) % kPerInt;
    const at::Tensor whole =
        missing == 0 ? bytes.contiguous() : at::constant_pad_nd(bytes, {0, missing});
    return whole.view(at::kInt);
}

at::Tensor bytesFromZero(const LayerRow& row, const NamedTensors& tensors)
{
    const at::Tensor& codes = partOf(row, tensors, "codes");
    if (codes.scalar_type() == at::kChar)
        return codes.contiguous().view(at::kByte).bitwise_xor(128);  // + 128
    // Two to a byte, the even column in the upper half: it has to be in the lower.
    return codes.bitwise_right_shift(4).bitwise_or_(codes.bitwise_left_shift(4));
}

void addPacked(const LayerRow& row, const std::string& name, const NamedTensors& tensors,
               std::vector<TensorToWrite>& all)
{
    const int bits = row.scheme->name == "int8wo" ? 8 : 4;
    const std::int64_t columns = (row.inFeatures * bits + 31) / 32;
    all.push_back(
        made(name + "_packed", StoredType::I32,
             {static_cast<std::uint64_t>(row.outFeatures), static_cast<std::uint64_t>(columns)},
             [&row, &tensors] { return packedInt32(bytesFromZero(row, tensors)); }));
    const at::Tensor& scale = partOf(row, tensors, "scale");
    all.push_back(asItIs(name + "_scale", scale.to(toTorch(core::workingTypeOf(row.scheme)))));
    all.push_back(asItIs(name + "_shape", at::tensor({row.outFeatures, row.inFeatures})));
    if (tensors.contains(row.weight + ":group"))
        all.push_back(asItIs(name + "_g_idx", partOf(row, tensors, "group")));
}

// All tensors of the stages, those of shared weights once; `plain` receives the names of those that
// are not quantized.
std::vector<TensorToWrite> tensorsOf(const QuantizedModel& quantized, const LayerTensors& add,
                                     std::vector<std::string>& plain)
{
    const core::ModelFamily& family = *quantized.model.family;
    std::vector<TensorToWrite> all;
    std::set<std::string> written;
    for (std::size_t stage = 0; stage < quantized.weights.size(); ++stage) {
        const NamedTensors& tensors = quantized.weights[stage].tensors;
        const std::string prefix = core::quantized::weightPrefix(family, stage);
        for (const LayerRow& row : quantized.program.layers) {
            if (row.stage == stage && row.quantized() &&
                written.insert(prefix + row.weight + ":").second)
                add(row, prefix + row.weight, tensors, all);
        }
        for (const auto& [name, tensor] : tensors) {
            // Parts of weights have a colon in their names, those of models have none.
            if (name.find(':') != std::string::npos || !written.insert(prefix + name).second)
                continue;
            all.push_back(asItIs(prefix + name, tensor));
            plain.push_back(prefix + name);
        }
    }
    return all;
}

struct WeightsFile {
    std::vector<TensorToWrite> tensors;
    core::CheckpointTexts texts;
};

// Of a format that has one.
WeightsFile weightsFile(const QuantizedModel& quantized, CheckpointFormat format)
{
    const auto& layers = quantized.program.layers;
    std::vector<std::string> plain;
    switch (format) {
    case CheckpointFormat::CompressedTensors:
        return {tensorsOf(quantized, addPacked, plain), core::packedTexts(quantized.model)};
    case CheckpointFormat::TorchAo: {
        std::vector<TensorToWrite> tensors = tensorsOf(quantized, addAsTorchAo, plain);
        return {std::move(tensors), core::torchAoTexts(quantized.model, layers, plain)};
    }
    case CheckpointFormat::QuantScope:
    case CheckpointFormat::ExportedProgram:
        break;
    }
    return {tensorsOf(quantized, addAsStored, plain),
            core::quantScopeTexts(quantized.model, layers)};
}

Status writeText(const std::string& name, const std::string& text, const CheckpointPlaces& places,
                 std::vector<WrittenFile>& files)
{
    QS_RETURN_IF_ERROR(core::writeFileAtomically(places(name), text));
    files.push_back({name, text.size(), 0});
    return {};
}

// The config.json beside the weights, where the model was read from a folder of Hugging Face's;
// else an empty object.
core::Json ownConfig(const std::filesystem::path& folder)
{
    const auto json = core::readJsonFile(folder / kConfigFile);
    return json.ok() && json.value().is_object() && json.value().contains("model_type")
               ? json.value()
               : core::Json::object();
}

// So that others can open the folder as they open the one of the model: all that stood there but
// for the weights.
Status writeConfig(const QuantizedModel& quantized, const CheckpointPlaces& places,
                   std::vector<WrittenFile>& files)
{
    const auto* stored = std::get_if<core::StoredWeights>(&quantized.model.weights);
    const std::filesystem::path folder =
        stored == nullptr ? std::filesystem::path() : stored->files.front().parent_path();
    core::Json config = stored == nullptr ? core::Json::object() : ownConfig(folder);
    const bool named = !config.empty();
    config.update(core::compressedTensorsConfig(*quantized.model.family, quantized.program.layers));
    QS_RETURN_IF_ERROR(writeText(kConfigFile, core::jsonText(config, 2) + "\n", places, files));
    for (const char* name : kCompanions) {
        const core::FilePlace place(folder / name);
        if (!named || !core::isThere(place))
            continue;
        QS_TRY(const std::string text, core::readTextFile(place, kMostCompanionBytes));
        QS_RETURN_IF_ERROR(writeText(name, text, places, files));
    }
    return {};
}

Result<std::vector<WrittenFile>> writePrograms(const QuantizedModel& quantized,
                                               const CheckpointPlaces& places)
{
    std::vector<WrittenFile> files;
    for (std::size_t i = 0; i < quantized.program.stages.size(); ++i) {
        const core::StageProgram& stage = quantized.program.stages[i];
        QS_TRY(const core::ReferenceStage reference, core::referenceStage(stage, quantized.device));
        const NamedTensors& tensors = quantized.weights[i].tensors;
        std::uint64_t tensorBytes = 0;
        const core::ProgramToWrite program{
            reference.graph, quantized.device.kind == core::DeviceKind::Cpu ? "cpu" : "cuda",
            [&](const core::Value& weight, const core::TextSink& sink) {
                const at::Tensor& tensor = tensors.at(weight.name);
                tensorBytes += tensor.nbytes();
                return giveBytes(tensor, sink);
            }};
        const std::string name = programFile(stage);
        const core::FilePlace place = places(name);
        QS_RETURN_IF_ERROR(core::writeExportedProgram(program, place));
        std::error_code error;
        files.push_back({name, std::filesystem::file_size(place.path(), error), tensorBytes});
    }
    return files;
}

// Why the format cannot hold the model; nothing if it can.
std::optional<Error> objectionTo(const QuantizedModel& quantized, CheckpointFormat format)
{
    if (const auto objection = core::formatObjection(format, quantized.program.layers))
        return Error{ErrorCode::Unsupported,
                     std::string(core::kCheckpointFormats.of(format)) + ": " + *objection};
    if (const auto objection = core::modelObjection(format, quantized.model))
        return Error{ErrorCode::Unsupported, *objection};
    const auto& stages = quantized.program.stages;
    if (format != CheckpointFormat::ExportedProgram &&
        std::any_of(stages.begin(), stages.end(),
                    [](const core::StageProgram& stage) { return !stage.foldings.empty(); }))
        return Error{ErrorCode::Unsupported,
                     "batch norms are folded into its weights: pt2 alone holds what runs"};
    return std::nullopt;
}

}  // namespace

std::string programFile(const core::StageProgram& stage)
{
    return stage.name + ".pt2";
}

Result<core::SafetensorsSize> streamCheckpoint(const QuantizedModel& quantized,
                                               CheckpointFormat format, const core::TextSink& sink)
{
    if (auto objection = objectionTo(quantized, format))
        return *std::move(objection);
    WeightsFile file = weightsFile(quantized, format);
    return core::streamSafetensors(std::move(file.tensors), file.texts, sink);
}

Result<std::vector<WrittenFile>> writeCheckpoint(const QuantizedModel& quantized,
                                                 CheckpointFormat format,
                                                 const CheckpointPlaces& places)
{
    if (auto objection = objectionTo(quantized, format))
        return *std::move(objection);
    if (format == CheckpointFormat::ExportedProgram)
        return writePrograms(quantized, places);
    WeightsFile file = weightsFile(quantized, format);
    QS_TRY(const core::SafetensorsSize size,
           core::writeSafetensors(places(kWeightsFile), std::move(file.tensors), file.texts));
    std::vector<WrittenFile> files{{kWeightsFile, size.fileBytes, size.tensorBytes}};
    if (format == CheckpointFormat::CompressedTensors)
        QS_RETURN_IF_ERROR(writeConfig(quantized, places, files));
    return files;
}

}  // namespace qs::engine
