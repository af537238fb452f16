#include "core/engine/weights/weight_loader.h"

#include "core/engine/internal/torch_types.h"
#include "core/quant/scheme.h"

#include <algorithm>
#include <utility>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Result;

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

Result<WeightLoader> WeightLoader::create(const core::Model& model, c10::Device device)
{
    QS_TRY(WeightSource source, WeightSource::open(model, device));
    return WeightLoader(model, std::move(source), device);
}

const std::string& WeightLoader::sourceOf(std::size_t stage) const
{
    return m_model->family->stages()[core::weightOwner(*m_model->family, stage)].name;
}

bool WeightLoader::isShared(std::size_t stage) const
{
    const auto& stages = m_model->family->stages();
    return stages[stage].sharedWith ||
           std::any_of(stages.begin(), stages.end(),
                       [&](const core::StageInfo& each) { return each.sharedWith == stage; });
}

Result<at::Tensor> WeightLoader::loadOne(std::size_t stage, const core::WeightSpec& spec,
                                         core::DType workingType, c10::Device place)
{
    const c10::ScalarType type = toTorch(spec.typeFor(workingType));
    const std::string& source = sourceOf(stage);
    const auto key = std::make_pair(source + "/" + spec.name, type);
    if (const auto found = m_shared.find(key); found != m_shared.end())
        return found->second;
    QS_TRY(at::Tensor tensor, m_source.weight(source, spec, type, place));
    if (isShared(stage))
        m_shared.emplace(key, tensor);
    return tensor;
}

// An index that leads nowhere would be read beyond the scales, and on a GPU end the process.
core::Status WeightLoader::checkGroups(const core::Scheme& scheme, const std::string& key,
                                       const std::string& weight, const StageWeights& weights) const
{
    const auto found = weights.tensors.find(weight + ":group");
    if (found == weights.tensors.end())
        return {};
    const at::Tensor index = found->second.cpu();
    const std::int64_t longest = scheme.whole("group");
    std::vector<std::int64_t> columns(
        static_cast<std::size_t>(weights.tensors.at(weight + ":scale").size(1)));
    const std::int32_t* values = index.const_data_ptr<std::int32_t>();
    for (std::int64_t i = 0; i < index.numel(); ++i) {
        const auto group = static_cast<std::size_t>(values[i]);
        if (values[i] < 0 || group >= columns.size())
            return m_source.damaged(key + ":group", "puts column " + std::to_string(i) +
                                                        " into group " + std::to_string(values[i]) +
                                                        " of " + std::to_string(columns.size()));
        if (++columns[group] > longest)
            return m_source.damaged(key + ":group", "has more than " + std::to_string(longest) +
                                                        " columns in group " +
                                                        std::to_string(group));
    }
    return {};
}

Result<bool> WeightLoader::loadParts(std::size_t stage, const core::WeightSpec& spec,
                                     StageWeights& weights)
{
    const std::string key = sourceOf(stage) + "/" + spec.name;
    const auto found = m_model->quantized.find(key);
    if (found == m_model->quantized.end())
        return true;
    // Schemes, parts and their sizes were checked when the model was opened.
    const core::Scheme scheme = core::namedScheme(found->second);
    for (const core::StoredPart& part :
         scheme->stored(scheme, spec.shape[0], spec.elementCount() / spec.shape[0])) {
        const std::string name = core::storedName(spec.name, part);
        at::Tensor& tensor = m_sharedParts[core::storedName(key, part)];
        if (!tensor.defined()) {
            QS_TRY(tensor, m_source.part(core::storedName(key, part), part.type));
        }
        weights.tensors.emplace(name, tensor);
        if (!isShared(stage))
            m_sharedParts.clear();
    }
    QS_RETURN_IF_ERROR(checkGroups(scheme, key, spec.name, weights));
    return std::get<core::StoredWeights>(m_model->weights).places.contains(key);
}

Result<StageWeights> WeightLoader::load(std::size_t stage, core::DType workingType,
                                        const LoadProgress& progress,
                                        const std::set<std::string>& waiting)
{
    const auto& specs = m_model->family->stages()[stage].weights;
    std::int64_t total = 0;
    for (const core::WeightSpec& spec : specs)
        total += spec.elementCount() * core::byteSize(spec.typeFor(workingType));
    StageWeights weights;
    std::int64_t done = 0;
    for (const core::WeightSpec& spec : specs) {
        QS_TRY(const bool whole, loadParts(stage, spec, weights));
        at::Tensor tensor;
        if (whole) {
            const bool waits = waiting.contains(spec.name);
            QS_TRY(tensor, loadOne(stage, spec, workingType, waits ? at::kCPU : m_device));
        }
        done += spec.elementCount() * core::byteSize(spec.typeFor(workingType));
        if (whole)
            weights.tensors.emplace(spec.name, std::move(tensor));
        if (!progress(done, total))
            return Error{ErrorCode::Cancelled, "stopped while loading weights"};
    }
    m_source.releaseBuffer();
    return weights;
}

}  // namespace qs::engine
