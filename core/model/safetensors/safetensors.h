#pragma once

#include "core/base/files.h"
#include "core/base/result.h"
#include "core/model/safetensors/tensor_entry.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Bytes hashed so far and in all; false cancels.
using HashProgress = std::function<bool(std::uint64_t doneBytes, std::uint64_t totalBytes)>;

// An opened safetensors file whose whole layout has been checked. It keeps the descriptor, never
// trusts the path a second time, and notices when the file was changed under it. Reads are
// positioned: several threads may read.
class SafetensorsFile final
{
public:
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    // In the order of their bytes; without holes or overlaps.
    [[nodiscard]] const std::vector<TensorEntry>& tensors() const { return m_tensors; }
    [[nodiscard]] const SafetensorsMetadata& metadata() const { return m_metadata; }
    [[nodiscard]] std::uint64_t fileBytes() const { return m_fileBytes; }
    // File offset of the data area: 8 + header.
    [[nodiscard]] std::uint64_t dataStart() const { return m_dataStart; }
    // Null if there is no tensor of that name. Valid as long as this object.
    [[nodiscard]] const TensorEntry* find(std::string_view name) const;

    // All bytes of one tensor of this file; `out` must have exactly entry.bytes() bytes.
    [[nodiscard]] Status read(const TensorEntry& entry, std::span<std::byte> out) const;
    // out.size() bytes from byte `offset` of the tensor.
    [[nodiscard]] Status readPart(const TensorEntry& entry, std::uint64_t offset,
                                  std::span<std::byte> out) const;

    // SHA-256 (hex) of the whole file: the identity of its content.
    [[nodiscard]] Result<std::string> contentHash(const HashProgress& progress = {}) const;
    // The same, computed once in the life of the program while the file stays what it is: planning
    // asks after every edit, and the hash of 20 GB takes half a minute. Thread-safe.
    [[nodiscard]] Result<std::string> rememberedContentHash() const;

private:
    friend Result<SafetensorsFile> openSafetensors(const std::filesystem::path& path,
                                                   const SafetensorsLimits& limits);
    SafetensorsFile() = default;
    [[nodiscard]] Status checkUnchanged() const;

    std::filesystem::path m_path;
    FileDescriptor m_file;
    std::uint64_t m_fileBytes = 0;
    std::uint64_t m_dataStart = 0;
    std::int64_t m_changedAtNanoseconds = 0;  // mtime of the file when it was opened
    std::vector<TensorEntry> m_tensors;
    std::vector<std::uint32_t> m_byName;  // positions in m_tensors, by name
    SafetensorsMetadata m_metadata;
};

// Opens and checks every rule of the format: header length, JSON, types, shapes, offsets without
// holes or overlaps, no byte after the last tensor. Reads the header alone; errors (Format) name
// the file, the tensor and the byte. Stricter than the reference implementation: unknown members,
// unprintable names and null metadata are refused.
[[nodiscard]] Result<SafetensorsFile> openSafetensors(const std::filesystem::path& path,
                                                      const SafetensorsLimits& limits = {});

}  // namespace qs::core
