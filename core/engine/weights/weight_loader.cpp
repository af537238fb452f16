#include "core/engine/weights/weight_loader.h"

#include "core/base/files.h"
#include "core/engine/internal/torch_types.h"
#include "core/lower/weight_preparation.h"
#include "core/model/generated_weights.h"
#include "core/model/safetensors/safetensors.h"
#include "core/quant/scheme.h"

#include <ATen/Parallel.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

// Only for types of weights and of their parts.
c10::ScalarType loadedType(core::StoredType type)
{
    switch (type) {
    case core::StoredType::F64:
        return c10::ScalarType::Double;
    case core::StoredType::F16:
        return c10::ScalarType::Half;
    case core::StoredType::BF16:
        return c10::ScalarType::BFloat16;
    case core::StoredType::F32:
        return c10::ScalarType::Float;
    case core::StoredType::U8:
        return c10::ScalarType::Byte;
    case core::StoredType::I8:
        return c10::ScalarType::Char;
    case core::StoredType::I32:
        return c10::ScalarType::Int;
    case core::StoredType::I64:
        return c10::ScalarType::Long;
    case core::StoredType::F8_E4M3:
        return c10::ScalarType::Float8_e4m3fn;
    case core::StoredType::BOOL:
    case core::StoredType::F4:
    case core::StoredType::F6_E2M3:
    case core::StoredType::F6_E3M2:
    case core::StoredType::F8_E5M2:
    case core::StoredType::F8_E8M0:
    case core::StoredType::F8_E4M3FNUZ:
    case core::StoredType::F8_E5M2FNUZ:
    case core::StoredType::I16:
    case core::StoredType::U16:
    case core::StoredType::U32:
    case core::StoredType::C64:
    case core::StoredType::U64:
        break;
    }
    return c10::ScalarType::Float;
}

at::Tensor generateOnCpu(std::uint64_t key, float factor, const core::WeightSpec& spec)
{
    at::Tensor tensor = at::empty(spec.shape, at::kFloat);
    float* data = tensor.data_ptr<float>();
    at::parallel_for(0, tensor.numel(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
        core::generate(key, factor, static_cast<std::uint64_t>(begin),
                       {data + begin, static_cast<std::size_t>(end - begin)});
    });
    return tensor;
}

}  // namespace

std::int64_t residentBytes(const std::vector<StageWeights>& stages)
{
    std::int64_t bytes = 0;
    std::set<const void*> storages;
    for (const StageWeights& stage : stages) {
        for (const auto& [name, tensor] : stage.tensors) {
            if (storages.insert(tensor.storage().unsafeGetStorageImpl()).second)
                bytes += static_cast<std::int64_t>(tensor.storage().nbytes());
        }
    }
    return bytes;
}

struct WeightLoader::Source {
    explicit Source(const core::Model& source) : model(source) {}

    const core::Model& model;
    c10::Device device{c10::kCPU};
    // Nothing for files that are no safetensors.
    std::vector<std::optional<core::SafetensorsFile>> files;
    std::vector<std::byte> buffer;
    // Weights that later stages share, with their type.
    std::map<std::pair<std::string, c10::ScalarType>, at::Tensor> shared;
    std::map<std::string, at::Tensor> sharedParts;

    // The stage that a weight comes from: its own, or the one that it shares weights with.
    [[nodiscard]] const std::string& sourceOf(std::size_t stage) const
    {
        const auto& stages = model.family->stages();
        return stages[stages[stage].sharedWith.value_or(stage)].name;
    }

    [[nodiscard]] bool isShared(std::size_t stage) const
    {
        const auto& stages = model.family->stages();
        return stages[stage].sharedWith ||
               std::any_of(stages.begin(), stages.end(),
                           [&](const core::StageInfo& each) { return each.sharedWith == stage; });
    }

    Result<at::Tensor> generate(const std::string& stage, const core::WeightSpec& spec,
                                c10::ScalarType type) const
    {
        const auto options = at::TensorOptions().device(device).dtype(type);
        if (spec.initialiser.kind == core::Initialiser::Kind::Constant)
            return at::full(spec.shape, spec.initialiser.scale, options);
        const auto seed = std::get<core::GeneratedWeights>(model.weights).seed;
        const std::uint64_t key = core::generatorKey(seed, stage + "/" + spec.name);
        const float factor = core::generatorFactor(spec.initialiser.scale);
        if (device.is_cpu())
            return generateOnCpu(key, factor, spec).to(type);
        at::Tensor tensor = at::empty(spec.shape, options);
        at::Tensor flat = tensor.view({-1});
        // Integer intermediates take 8 bytes an element: slices keep them small beside the weights.
        constexpr std::int64_t kSlice = std::int64_t{1} << 24U;
        for (std::int64_t first = 0; first < flat.numel(); first += kSlice) {
            const std::int64_t count = std::min(kSlice, flat.numel() - first);
            flat.narrow(0, first, count).copy_(generateOnDevice(key, factor, first, count, device));
        }
        return tensor;
    }

    // Of a tensor that is not dense the whole payload is read: it is what others share as well.
    Result<at::Tensor> readSlice(const core::TensorSlice& slice, const std::filesystem::path& path,
                                 const core::WeightSpec& spec, c10::ScalarType type)
    {
        if (slice.type.shape != spec.shape)
            return Error{ErrorCode::Format, path.string() + ": " + spec.name +
                                                " has a different size than the architecture"};
        QS_TRY(const core::FileDescriptor file, core::openForReading(path));
        buffer.resize(slice.bytes);
        QS_RETURN_IF_ERROR(core::readExactlyAt(file, buffer, slice.offset, path));
        const c10::ScalarType stored = toTorch(slice.type.dtype);
        const std::int64_t elements =
            static_cast<std::int64_t>(slice.bytes) / core::byteSize(slice.type.dtype);
        const at::Tensor payload = at::from_blob(buffer.data(), {elements}, stored);
        const at::Tensor host =
            payload.as_strided(slice.type.shape, slice.strides, slice.firstElement).contiguous();
        at::Tensor tensor = host.to(device).to(type);
        return tensor.is_alias_of(payload) ? tensor.clone() : tensor;
    }

    // A part of a quantized weight, as it is stored. `key`: "stage/name:codes".
    Result<at::Tensor> readPart(const std::string& key, const core::TensorType& type)
    {
        const auto& stored = std::get<core::StoredWeights>(model.weights);
        const auto place = stored.places.find(key);
        if (place == stored.places.end())
            return Error{ErrorCode::Format, "no file contains " + key};
        const core::SafetensorsFile& file = files.at(place->second.file).value();
        const core::TensorEntry* entry = file.find(place->second.name);
        if (entry == nullptr || loadedType(entry->dtype) != toTorch(type.dtype) ||
            !std::equal(
                entry->shape.begin(), entry->shape.end(), type.shape.begin(), type.shape.end(),
                [](std::uint64_t a, std::int64_t b) { return a == static_cast<std::uint64_t>(b); }))
            return Error{ErrorCode::Format, file.path().string() + ": " + place->second.name +
                                                " is not " + core::toText(type) +
                                                ", as its scheme has it"};
        at::Tensor tensor = at::empty(type.shape, toTorch(type.dtype));
        QS_RETURN_IF_ERROR(
            file.read(*entry, {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()}));
        return tensor.to(device);
    }

    Result<at::Tensor> read(const std::string& stage, const core::WeightSpec& spec,
                            c10::ScalarType type)
    {
        const auto& stored = std::get<core::StoredWeights>(model.weights);
        const auto place = stored.places.find(stage + "/" + spec.name);
        if (place == stored.places.end())
            return Error{ErrorCode::NotFound, "no file contains " + stage + "/" + spec.name};
        if (place->second.slice)
            return readSlice(*place->second.slice, stored.files.at(place->second.file), spec, type);
        const core::SafetensorsFile& file = files.at(place->second.file).value();
        const core::TensorEntry* entry = file.find(place->second.name);
        if (entry == nullptr)
            return Error{ErrorCode::Format,
                         file.path().string() + " has changed: " + place->second.name + " is gone"};
        if (!core::isLoadable(entry->dtype))
            return Error{ErrorCode::Unsupported,
                         file.path().string() + ": " + entry->name + " is stored as " +
                             std::string(core::toString(entry->dtype)) +
                             "; only F32, F64, F16 and BF16 weights can be loaded"};
        if (entry->elements() != static_cast<std::uint64_t>(spec.elementCount()))
            return Error{ErrorCode::Format, file.path().string() + ": " + entry->name +
                                                " has a different size than the architecture"};
        buffer.resize(entry->bytes());
        QS_RETURN_IF_ERROR(file.read(*entry, buffer));
        // The copy to the device ends before the buffer is used again: from pageable memory it is
        // synchronous.
        const at::Tensor host = at::from_blob(buffer.data(), spec.shape, loadedType(entry->dtype));
        at::Tensor tensor = host.to(device).to(type);
        return tensor.is_alias_of(host) ? tensor.clone() : tensor;
    }
};

WeightLoader::WeightLoader() = default;
WeightLoader::~WeightLoader() = default;
WeightLoader::WeightLoader(WeightLoader&&) noexcept = default;
WeightLoader& WeightLoader::operator=(WeightLoader&&) noexcept = default;

Result<WeightLoader> WeightLoader::create(const core::Model& model, c10::Device device)
{
    WeightLoader loader;
    loader.m_source = std::make_unique<Source>(model);
    loader.m_source->device = device;
    if (const auto* stored = std::get_if<core::StoredWeights>(&model.weights)) {
        std::set<std::size_t> sliced;
        for (const auto& [name, place] : stored->places) {
            if (place.slice)
                sliced.insert(place.file);
        }
        for (std::size_t i = 0; i < stored->files.size(); ++i) {
            if (sliced.contains(i)) {
                loader.m_source->files.emplace_back();
                continue;
            }
            QS_TRY(core::SafetensorsFile file, core::openSafetensors(stored->files[i]));
            loader.m_source->files.emplace_back(std::move(file));
        }
    }
    return loader;
}

Result<at::Tensor> WeightLoader::loadOne(std::size_t stage, const core::WeightSpec& spec,
                                         core::DType workingType)
{
    const c10::ScalarType type = toTorch(spec.typeFor(workingType));
    const std::string& source = m_source->sourceOf(stage);
    const auto key = std::make_pair(source + "/" + spec.name, type);
    if (const auto found = m_source->shared.find(key); found != m_source->shared.end())
        return found->second;
    const bool generated = std::holds_alternative<core::GeneratedWeights>(m_source->model.weights);
    QS_TRY(at::Tensor tensor,
           generated ? m_source->generate(source, spec, type) : m_source->read(source, spec, type));
    if (m_source->isShared(stage))
        m_source->shared.emplace(key, tensor);
    return tensor;
}

Result<bool> WeightLoader::loadParts(std::size_t stage, const core::WeightSpec& spec,
                                     StageWeights& weights)
{
    const core::Model& model = m_source->model;
    const std::string key = m_source->sourceOf(stage) + "/" + spec.name;
    const auto found = model.quantized.find(key);
    if (found == model.quantized.end())
        return true;
    QS_TRY(const core::Scheme scheme, core::parseScheme(found->second));
    if (!core::quantizesWeights(scheme) || spec.shape.size() < 2)
        return Error{ErrorCode::Format, key + " cannot be stored as " + found->second};
    for (const core::StoredPart& part :
         scheme->stored(scheme, spec.shape[0], spec.elementCount() / spec.shape[0])) {
        const std::string name = core::storedName(spec.name, part);
        at::Tensor& tensor = m_source->sharedParts[core::storedName(key, part)];
        if (!tensor.defined()) {
            QS_TRY(tensor, m_source->readPart(core::storedName(key, part), part.type));
        }
        weights.tensors.emplace(name, tensor);
        if (!m_source->isShared(stage))
            m_source->sharedParts.clear();
    }
    return std::get<core::StoredWeights>(model.weights).places.contains(key);
}

Result<StageWeights> WeightLoader::load(std::size_t stage, core::DType workingType,
                                        const LoadProgress& progress)
{
    const auto& specs = m_source->model.family->stages()[stage].weights;
    std::int64_t total = 0;
    for (const core::WeightSpec& spec : specs)
        total += spec.elementCount() * core::byteSize(spec.typeFor(workingType));
    StageWeights weights;
    std::int64_t done = 0;
    for (const core::WeightSpec& spec : specs) {
        QS_TRY(const bool whole, loadParts(stage, spec, weights));
        at::Tensor tensor;
        if (whole) {
            QS_TRY(tensor, loadOne(stage, spec, workingType));
        }
        done += spec.elementCount() * core::byteSize(spec.typeFor(workingType));
        if (whole)
            weights.tensors.emplace(spec.name, std::move(tensor));
        if (!progress(done, total))
            return Error{ErrorCode::Cancelled, "stopped while loading weights"};
    }
    m_source->buffer = {};
    return weights;
}

namespace {

// What the same preparation made for an earlier stage, in the order of its outputs; empty if it
// made none.
std::vector<at::Tensor> alreadyMade(const core::Graph& preparation, const QuantizedStage* shared)
{
    std::vector<at::Tensor> made;
    if (shared == nullptr)
        return made;
    const std::string text = core::toText(preparation);
    const auto& all = shared->program.preparations;
    const auto same = std::find_if(all.begin(), all.end(), [&](const core::Graph& each) {
        return core::toText(each) == text;
    });
    if (same == all.end())
        return made;
    for (const core::ValueId id : preparation.outputs)
        made.push_back(shared->weights.tensors.at(preparation.value(id).name));
    return made;
}

// Whether the files held what the preparation would make.
bool isStored(const core::Graph& preparation, const StageWeights& weights)
{
    return std::all_of(
        preparation.outputs.begin(), preparation.outputs.end(),
        [&](core::ValueId id) { return weights.tensors.contains(preparation.value(id).name); });
}

}  // namespace

Status restoreWeights(StageWeights& weights, const core::Model& model, const core::Program& program,
                      std::size_t stage, WeightsToRestore which, c10::Device device)
{
    const std::string& source =
        model.family->stages()[model.family->stages()[stage].sharedWith.value_or(stage)].name;
    for (const core::LayerRow& row : program.layers) {
        const auto found = model.quantized.find(source + "/" + row.weight);
        if (row.stage != stage || found == model.quantized.end())
            continue;
        if (which == WeightsToRestore::Unquantized && row.quantized() &&
            row.scheme.text() == found->second)
            continue;
        core::LayerRow stored = row;
        QS_TRY(stored.scheme, core::parseScheme(found->second));
        QS_TRY(const core::Graph graph, core::restoreWeight(stored));
        QS_TRY(const Executor executor, Executor::create(graph, weights.tensors, device));
        const at::Tensor restored = executor.run({}).front();
        for (const core::StoredPart& part :
             stored.scheme->stored(stored.scheme, stored.outFeatures, stored.inFeatures))
            weights.tensors.erase(core::storedName(stored.weight, part));
        weights.tensors.insert_or_assign(
            row.weight,
            restored.to(toTorch(program.stages[stage].workingType)).reshape(row.weightShape));
    }
    return {};
}

Status foldWeights(StageWeights& weights, const core::StageProgram& stage, c10::Device device)
{
    for (const core::Folding& folding : stage.foldings) {
        QS_TRY(const Executor executor, Executor::create(folding.graph, weights.tensors, device));
        const std::vector<at::Tensor> folded = executor.run({});
        weights.tensors.at(folding.weight) = folded.at(0);
        weights.tensors.at(folding.bias) = folded.at(1);
    }
    return {};
}

Status quantizeWeights(StageWeights& weights, const core::StageProgram& stage, c10::Device device,
                       const std::function<bool(double fraction)>& progress,
                       const QuantizedStage* shared)
{
    for (std::size_t i = 0; i < stage.preparations.size(); ++i) {
        const core::Graph& preparation = stage.preparations[i];
        if (isStored(preparation, weights))
            continue;
        std::vector<at::Tensor> results = alreadyMade(preparation, shared);
        if (results.empty()) {
            QS_TRY(const Executor executor, Executor::create(preparation, weights.tensors, device));
            results = executor.run({});
        }
        for (std::size_t output = 0; output < results.size(); ++output)
            weights.tensors.insert_or_assign(preparation.value(preparation.outputs[output]).name,
                                             results[output].contiguous());
        for (const core::Value& value : preparation.values) {
            if (value.kind == core::ValueKind::Weight && !stage.keptWeights.contains(value.name))
                weights.tensors.erase(value.name);
        }
        if (!progress(static_cast<double>(i + 1) / static_cast<double>(stage.preparations.size())))
            return Error{ErrorCode::Cancelled, "stopped while quantizing weights"};
    }
    return {};
}

}  // namespace qs::engine
