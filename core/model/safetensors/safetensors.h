#pragma once

#include "core/base/files.h"
#include "core/base/result.h"
#include "core/model/safetensors/stored_type.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// What a file from outside may contain. The header limit is the format's, the others are ours: they
// bound the memory that opening a hostile file can cost to 64 MiB + 2 × header.
struct SafetensorsLimits {
    std::uint64_t headerBytes = 100'000'000;
    std::size_t tensors = 1'000'000;
    std::size_t nameBytes = 4096;
    std::size_t rank = 16;
    std::size_t metadataEntries = 100'000;
    // Of one text as written in the header, escapes included.
    std::size_t textBytes = std::size_t{8} << 20U;
};

// One tensor: where it lies and what its bytes mean (little-endian, row-major).
struct TensorEntry {
    std::string name;
    StoredType dtype = StoredType::F32;
    std::vector<std::uint64_t> shape;  // empty: a scalar
    std::uint64_t begin = 0;           // first byte, counted from the start of the data area
    std::uint64_t end = 0;             // one past the last byte

    [[nodiscard]] std::uint64_t bytes() const { return end - begin; }
    // Product of the shape; cannot overflow for entries of an opened file.
    [[nodiscard]] std::uint64_t elements() const;
    bool operator==(const TensorEntry&) const = default;
};

using SafetensorsMetadata = std::map<std::string, std::string>;

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

// A tensor to be written; the bytes belong to the caller.
struct TensorToWrite {
    std::string name;
    StoredType dtype = StoredType::F32;
    std::vector<std::uint64_t> shape;
    std::span<const std::byte> bytes;
};

// The whole file as the reference implementation writes it: types by falling alignment, then names;
// the header padded with spaces to a multiple of 8. Refuses what openSafetensors would refuse
// (InvalidArgument).
[[nodiscard]] Result<std::string> encodeSafetensors(std::span<const TensorToWrite> tensors,
                                                    const SafetensorsMetadata& metadata = {});
// The same into a file, atomically. Holds the whole file in memory once.
[[nodiscard]] Status writeSafetensors(const std::filesystem::path& path,
                                      std::span<const TensorToWrite> tensors,
                                      const SafetensorsMetadata& metadata = {});

}  // namespace qs::core
