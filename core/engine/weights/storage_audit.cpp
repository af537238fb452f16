#include "core/engine/weights/storage_audit.h"

#include "core/engine/weights/lay_out_weights.h"

#include "core/quant/rest_of_model.h"

#include <algorithm>
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
            if (row.quantized())
                m_rows.insert_or_assign({row.stage, row.weight}, row);
        }
    }

    // `source` are the tensors of the stage whose weights this one shares; null if it has its own.
    void audit(std::size_t stage, const core::StageInfo& info, const NamedTensors& tensors,
               const NamedTensors* source)
    {
        std::set<std::string> known;
        for (const core::WeightSpec& spec : info.weights) {
            const std::vector<std::string> parts = partsOf(stage, spec);
            if (source != nullptr && areTheSame(parts, tensors, *source))
                known.insert(parts.begin(), parts.end());
            else
                m_audited.push_back(auditWeight(stage, info.name, spec, tensors, known));
        }
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
    // Null for a weight that stays as it is.
    [[nodiscard]] const core::LayerRow* rowOf(std::size_t stage, const core::WeightSpec& spec) const
    {
        const auto found = m_rows.find({stage, spec.name});
        return found == m_rows.end() ? nullptr : &found->second;
    }

    // The tensors that a weight is stored as.
    [[nodiscard]] std::vector<std::string> partsOf(std::size_t stage,
                                                   const core::WeightSpec& spec) const
    {
        const core::LayerRow* row = rowOf(stage, spec);
        if (row == nullptr)
            return {spec.name};
        std::vector<std::string> parts;
        for (const core::StoredPart& part :
             row->scheme->stored(row->scheme, row->outFeatures, row->inFeatures))
            parts.push_back(core::storedName(spec.name, part));
        if (row->keepsWeight)
            parts.push_back(spec.name);
        return parts;
    }

    static bool areTheSame(const std::vector<std::string>& parts, const NamedTensors& tensors,
                           const NamedTensors& source)
    {
        return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
            const auto own = tensors.find(part);
            const auto other = source.find(part);
            return own != tensors.end() && other != source.end() &&
                   own->second.is_alias_of(other->second);
        });
    }

    AuditedWeight auditWeight(std::size_t stage, const std::string& stageName,
                              const core::WeightSpec& spec, const NamedTensors& tensors,
                              std::set<std::string>& known)
    {
        const core::DType working = core::workingTypeOf(m_recipe[stage].scheme);
        AuditedWeight weight{.name = stageName + "/" + spec.name, .scheme = m_recipe[stage].scheme};
        const std::int64_t plain = spec.elementCount() * core::byteSize(spec.typeFor(working));
        weight.logicalBytes = plain;
        if (const core::LayerRow* row = rowOf(stage, spec)) {
            weight.scheme = row->scheme;
            weight.logicalBytes =
                core::storedBytes(row->scheme, row->outFeatures, row->inFeatures, false) +
                (row->keepsWeight ? plain : 0);
        }
        for (const std::string& part : partsOf(stage, spec)) {
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
        const std::int64_t padding = paddingOf(tensor);
        const std::int64_t own = static_cast<std::int64_t>(tensor.nbytes()) + padding;
        weight.logicalBytes += padding;
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
    std::map<std::pair<std::size_t, std::string>, core::LayerRow> m_rows;  // of quantized layers
    std::map<const void*, std::string> m_owners;                           // of each storage
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
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        const core::StageInfo& info = family.stages()[stage];
        auditor.audit(stage, info, stages[stage].tensors,
                      info.sharedWith ? &stages.at(*info.sharedWith).tensors : nullptr);
    }
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
    report.storageBytes = residentBytes(stages);
    return report;
}

std::vector<core::LargeTensor> largeTensors(const core::ModelFamily& family,
                                            const std::vector<StageWeights>& stages)
{
    std::vector<core::LargeTensor> large;
    std::set<const void*> seen;
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        for (const auto& [name, tensor] : stages[stage].tensors) {
            const std::int64_t logical =
                static_cast<std::int64_t>(tensor.nbytes()) + paddingOf(tensor);
            const std::int64_t held = storageBytesOf(tensor);
            const bool told = logical > core::StorageReport::kLargeBytes || held > logical;
            if (told && large.size() < core::StorageReport::kMostTensors &&
                seen.insert(tensor.unsafeGetTensorImpl()).second)
                large.push_back({family.stages()[stage].name + "/" + name, logical, held});
        }
    }
    return large;
}

}  // namespace qs::engine
