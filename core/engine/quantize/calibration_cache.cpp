#include "core/engine/quantize/calibration_cache.h"

#include "core/base/atomic_file.h"
#include "core/base/bounded_folder.h"
#include "core/base/files.h"
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

constexpr std::size_t kHeaderAlignment = 8;

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

std::string_view rawBytes(const at::Tensor& host)
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

std::string hashOf(const HostParts& parts, const core::CalibrationTexts& texts)
{
    core::Sha256 hash = core::calibrationHash(texts);
    for (const auto& [name, tensor] : parts) {
        hash.update(name);
        hash.update(rawBytes(tensor));
    }
    return hash.hex();
}

core::CalibrationTexts textsOf(const std::string& content, const StageFindings& findings,
                               const CalibrationOrigin& origin)
{
    core::StageCalibration record = origin.record;
    record.seconds = findings.seconds;
    record.layers = findings.layers;
    return {content, core::jsonText(core::toJson(record)), origin.model, origin.precision};
}

// Length and text of the header; nothing if a tensor is of a type that is not stored.
std::optional<std::string> headerOf(const HostParts& parts, const core::CalibrationTexts& texts)
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
    header["__metadata__"] = core::calibrationMetadata(texts, hashOf(parts, texts));
    std::string text = core::jsonText(header);
    text.resize((text.size() + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment, ' ');
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

}  // namespace

std::optional<StageFindings> CalibrationCache::find(const std::string& content,
                                                    c10::Device device) const
{
    if (m_folder.empty())
        return std::nullopt;
    const fs::path path = m_folder / (content + core::kCalibrationExtension);
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        return std::nullopt;
    const auto file = core::openSafetensors(path);
    if (!file.ok())
        return std::nullopt;
    const core::CalibrationTexts texts = core::calibrationTexts(file.value());
    if (texts.content != content)
        return std::nullopt;
    const auto parts = readParts(file.value());
    const auto record = core::parseCalibrationRecord(texts.record);
    if (!parts || !record.ok() || hashOf(*parts, texts) != core::namedCalibrationHash(file.value()))
        return std::nullopt;
    StageFindings findings;
    for (const auto& [name, tensor] : *parts)
        findings.tensors.emplace(name, tensor.to(device));
    findings.layers = record.value().layers;
    findings.seconds = record.value().seconds;
    core::markUsed(path);
    return findings;
}

void CalibrationCache::add(const std::string& content, const StageFindings& findings,
                           const CalibrationOrigin& origin) const
{
    if (m_folder.empty() || !core::createFolders(m_folder).ok())
        return;
    const HostParts parts = hostCopy(findings.tensors);
    const auto header = headerOf(parts, textsOf(content, findings, origin));
    auto file = core::AtomicFile::create(m_folder / (content + core::kCalibrationExtension));
    if (!header || !file.ok() || !file.value().write(*header).ok())
        return;
    for (const auto& [name, tensor] : parts) {
        if (!file.value().write(rawBytes(tensor)).ok())
            return;
    }
    if (file.value().commit().ok())
        core::keepWithin(m_folder, {core::kCalibrationExtension}, m_mostBytes);
}

}  // namespace qs::engine
