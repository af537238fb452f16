#include "core/engine/weights/storage_audit.h"

#include <filesystem>
#include <map>
#include <set>

namespace qs::engine {

namespace {

std::int64_t storageBytesOf(const at::Tensor& tensor)
{
    return static_cast<std::int64_t>(tensor.storage().nbytes());
}

class Auditor final
{
public:
    Auditor(const core::ModelFamily& family, const core::Recipe& recipe) : m_recipe(recipe)
    {
        for (const core::LayerRow& row : core::layerTable(family, recipe)) {
            if (row.matched)
                m_schemes.insert_or_assign({row.stage, row.module + ".weight"}, row.scheme);
        }
    }

    void audit(std::size_t stage, const core::StageInfo& info, const NamedTensors& tensors)
    {
        std::set<std::string> known;
        for (const core::WeightSpec& spec : info.weights)
            m_audited.push_back(auditWeight(stage, info.name, spec, tensors, known));
        for (const auto& [name, tensor] : tensors) {
            if (known.contains(name))
                continue;
            AuditedWeight extra{.name = info.name + "/" + name, .scheme = m_recipe[stage].scheme};
            count(tensor, extra);
            extra.fault = core::StorageFault::LeftOver;
            m_audited.push_back(std::move(extra));
        }
    }

    [[nodiscard]] std::vector<AuditedWeight> take() { return std::move(m_audited); }

private:
    AuditedWeight auditWeight(std::size_t stage, const std::string& stageName,
                              const core::WeightSpec& spec, const NamedTensors& tensors,
                              std::set<std::string>& known)
    {
        const auto matched = m_schemes.find({stage, spec.name});
        const core::DType working = m_recipe[stage].scheme->workingType;
        AuditedWeight weight{.name = stageName + "/" + spec.name, .scheme = m_recipe[stage].scheme};
        std::vector<std::string> parts{spec.name};
        if (matched != m_schemes.end() && core::quantizesWeights(matched->second)) {
            const core::Scheme& scheme = matched->second;
            weight.scheme = scheme;
            weight.logicalBytes = core::storedBytes(scheme, spec.shape[0], spec.shape[1], false);
            parts.clear();
            for (const core::StoredPart& part :
                 scheme->stored(scheme, spec.shape[0], spec.shape[1]))
                parts.push_back(core::storedName(spec.name, part));
        } else {
            weight.logicalBytes = spec.elementCount() * core::byteSize(working);
        }
        for (const std::string& part : parts) {
            const auto found = tensors.find(part);
            if (found == tensors.end()) {
                object(weight, core::StorageFault::Missing, part);
                continue;
            }
            known.insert(part);
            count(found->second, weight);
        }
        if (weight.storageBytes != weight.logicalBytes)
            object(weight, core::StorageFault::WrongSize);
        return weight;
    }

    static void object(AuditedWeight& weight, core::StorageFault fault,
                       const std::string& other = {}, std::int64_t ownBytes = 0)
    {
        if (weight.fault)
            return;
        weight.fault = fault;
        weight.other = other;
        weight.ownBytes = ownBytes;
    }

    void count(const at::Tensor& tensor, AuditedWeight& weight)
    {
        const std::int64_t held = storageBytesOf(tensor);
        const auto own = static_cast<std::int64_t>(tensor.nbytes());
        weight.storageBytes += held;
        const auto [owner, isNew] =
            m_owners.try_emplace(tensor.storage().unsafeGetStorageImpl(), weight.name);
        if (!isNew)
            object(weight, core::StorageFault::Shared, owner->second);
        if (held != own)
            object(weight, held > own ? core::StorageFault::View : core::StorageFault::Expanded, {},
                   own);
    }

    const core::Recipe& m_recipe;
    std::map<std::pair<std::size_t, std::string>, core::Scheme> m_schemes;  // of matched layers
    std::map<const void*, std::string> m_owners;                            // of each storage
    std::vector<AuditedWeight> m_audited;
};

// Of all files that the weights were read from. A file that is gone meanwhile counts nothing.
std::int64_t fileBytesOf(const core::Model& model)
{
    std::int64_t bytes = 0;
    if (const auto* stored = std::get_if<core::StoredWeights>(&model.weights)) {
        for (const std::filesystem::path& file : stored->files) {
            std::error_code error;
            const std::uintmax_t size = std::filesystem::file_size(file, error);
            bytes += error ? 0 : static_cast<std::int64_t>(size);
        }
    }
    return bytes;
}

}  // namespace

std::vector<AuditedWeight> auditStorage(const core::ModelFamily& family, const core::Recipe& recipe,
                                        const std::vector<StageWeights>& stages)
{
    Auditor auditor(family, recipe);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        auditor.audit(stage, family.stages()[stage], stages[stage].tensors);
    return auditor.take();
}

core::StorageReport reportStorage(const core::Model& model, const core::Recipe& recipe,
                                  const std::vector<StageWeights>& stages)
{
    core::StorageReport report;
    report.fileBytes = fileBytesOf(model);
    for (const AuditedWeight& each : auditStorage(*model.family, recipe, stages)) {
        ++report.weights;
        report.logicalBytes += each.logicalBytes;
        if (each.fault)
            report.add({each.name, each.logicalBytes, each.storageBytes, *each.fault, each.other,
                        each.ownBytes});
    }
    // A storage counts once, also if weights of two stages share it.
    std::map<const void*, std::int64_t> storages;
    for (const StageWeights& weights : stages) {
        for (const auto& [name, tensor] : weights.tensors)
            storages[tensor.storage().unsafeGetStorageImpl()] = storageBytesOf(tensor);
    }
    for (const auto& [storage, bytes] : storages)
        report.storageBytes += bytes;
    return report;
}

}  // namespace qs::engine
