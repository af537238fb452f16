#include "core/engine/quantize/calibration_cache.h"

#include "core/base/atomic_file.h"
#include "core/base/bounded_folder.h"
#include "core/base/files.h"
#include "core/base/json_list.h"
#include "core/base/sha256.h"
#include "core/model/safetensors/safetensors.h"

#include <ATen/ops/empty.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace qs::engine {

namespace fs = std::filesystem;

using core::Json;
using core::Status;
using core::StoredType;

namespace {

constexpr const char* kExtension = ".safetensors";
constexpr std::size_t kAlignment = 8;

// The types that statistics and stored parts have.
constexpr std::array<std::pair<StoredType, c10::ScalarType>, 7> kKeptTypes{
    {{StoredType::U8, c10::ScalarType::Byte},
     {StoredType::I8, c10::ScalarType::Char},
     {StoredType::I32, c10::ScalarType::Int},
     {StoredType::F16, c10::ScalarType::Half},
     {StoredType::BF16, c10::ScalarType::BFloat16},
     {StoredType::F32, c10::ScalarType::Float},
     {StoredType::F64, c10::ScalarType::Double}}};

std::optional<c10::ScalarType> tensorType(StoredType type)
{
    const auto found = std::find_if(kKeptTypes.begin(), kKeptTypes.end(),
                                    [&](const auto& each) { return each.first == type; });
    return found == kKeptTypes.end() ? std::nullopt : std::optional(found->second);
}

std::optional<StoredType> keptType(c10::ScalarType type)
{
    const auto found = std::find_if(kKeptTypes.begin(), kKeptTypes.end(),
                                    [&](const auto& each) { return each.second == type; });
    return found == kKeptTypes.end() ? std::nullopt : std::optional(found->first);
}

std::string_view bytesOf(const at::Tensor& host)
{
    return {static_cast<const char*>(host.const_data_ptr()), host.nbytes()};
}

// Tensors on the host in the order of the file: by name.
using HostParts = std::vector<std::pair<std::string, at::Tensor>>;

HostParts hostCopy(const NamedTensors& tensors)
{
    HostParts parts;
    for (const auto& [name, tensor] : tensors)
        parts.emplace_back(name, tensor.cpu().contiguous());
    return parts;
}

std::string hashOf(const HostParts& parts, const std::string& record)
{
    core::Sha256 hash;
    hash.update(record);
    for (const auto& [name, tensor] : parts) {
        hash.update(name);
        hash.update(bytesOf(tensor));
    }
    return hash.hex();
}

// The record of what was found, as a row has it.
core::StageCalibration recordOf(const StageFindings& findings)
{
    core::StageCalibration record;
    record.seconds = findings.seconds;
    record.layers = findings.layers;
    return record;
}

// Length and text of the header; nothing if a tensor is of a type that is not stored.
std::optional<std::string> headerOf(const std::string& content, const HostParts& parts,
                                    const StageFindings& findings)
{
    Json header;
    std::size_t begin = 0;
    for (const auto& [name, tensor] : parts) {
        const auto type = keptType(tensor.scalar_type());
        if (!type)
            return std::nullopt;
        header[name] = {{"dtype", core::toString(*type)},
                        {"shape", tensor.sizes().vec()},
                        {"data_offsets", {begin, begin + tensor.nbytes()}}};
        begin += tensor.nbytes();
    }
    const std::string record = core::jsonText(core::toJson(recordOf(findings)));
    header["__metadata__"] = {
        {"content", content}, {"sha256", hashOf(parts, record)}, {"record", record}};
    std::string text = core::jsonText(header);
    text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
    std::string length(8, '\0');
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<char>((text.size() >> (8 * i)) & 0xffU);
    return length + text;
}

std::optional<HostParts> readParts(const core::SafetensorsFile& file)
{
    HostParts parts;
    for (const core::TensorEntry& entry : file.tensors()) {
        const auto type = tensorType(entry.dtype);
        if (!type)
            return std::nullopt;
        const std::vector<std::int64_t> shape(entry.shape.begin(), entry.shape.end());
        const at::Tensor tensor = at::empty(shape, *type);
        const std::span bytes(static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes());
        if (bytes.size() != entry.bytes() || !file.read(entry, bytes).ok())
            return std::nullopt;
        parts.emplace_back(entry.name, tensor);
    }
    std::sort(parts.begin(), parts.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return parts;
}

std::optional<core::StageCalibration> readRecord(const std::string& text)
{
    const auto json = core::parseJson("{\"record\":[" + text + "]}", "calibration");
    if (!json.ok())
        return std::nullopt;
    std::vector<core::JsonIssue> issues;
    core::JsonFields fields(json.value(), "$", issues);
    auto records = core::calibrationFromJson(fields, "record", issues);
    if (!issues.empty() || records.size() != 1)
        return std::nullopt;
    return std::move(records.front());
}

std::string metadataOf(const core::SafetensorsFile& file, const std::string& key)
{
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
}

}  // namespace

std::optional<StageFindings> CalibrationCache::find(const std::string& content,
                                                    c10::Device device) const
{
    if (m_folder.empty())
        return std::nullopt;
    const fs::path path = m_folder / (content + kExtension);
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        return std::nullopt;
    const auto file = core::openSafetensors(path);
    if (!file.ok() || metadataOf(file.value(), "content") != content)
        return std::nullopt;
    const auto parts = readParts(file.value());
    const std::string text = metadataOf(file.value(), "record");
    const auto record = readRecord(text);
    if (!parts || !record || hashOf(*parts, text) != metadataOf(file.value(), "sha256"))
        return std::nullopt;
    StageFindings findings;
    for (const auto& [name, tensor] : *parts)
        findings.tensors.emplace(name, tensor.to(device));
    findings.layers = record->layers;
    findings.seconds = record->seconds;
    core::markUsed(path);
    return findings;
}

void CalibrationCache::add(const std::string& content, const StageFindings& findings) const
{
    if (m_folder.empty() || !core::createFolders(m_folder).ok())
        return;
    const HostParts parts = hostCopy(findings.tensors);
    const auto header = headerOf(content, parts, findings);
    auto file = core::AtomicFile::create(m_folder / (content + kExtension));
    if (!header || !file.ok() || !file.value().write(*header).ok())
        return;
    for (const auto& [name, tensor] : parts) {
        if (!file.value().write(bytesOf(tensor)).ok())
            return;
    }
    if (file.value().commit().ok())
        core::keepWithin(m_folder, {kExtension}, m_mostBytes);
}

}  // namespace qs::engine
