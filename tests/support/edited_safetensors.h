#pragma once

#include "core/model/safetensors/safetensors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace qs::tests {

struct EditedTensor {
    core::StoredType type = core::StoredType::F32;
    std::vector<std::uint64_t> shape;
    std::vector<std::byte> bytes;
};

// The contents of a safetensors file, to be changed and written again.
struct EditedSafetensors {
    std::map<std::string, EditedTensor> tensors;
    core::SafetensorsMetadata metadata;

    [[nodiscard]] static EditedSafetensors read(const std::filesystem::path& path);
    void write(const std::filesystem::path& path) const;
    // Of zeros.
    void add(const std::string& name, core::StoredType type, std::vector<std::uint64_t> shape);
    // Element `index` of a tensor of 32 or 64 bits.
    template <typename T>
    void put(const std::string& name, std::size_t index, T value)
    {
        const auto* from = reinterpret_cast<const std::byte*>(&value);
        std::copy(from, from + sizeof(T),
                  tensors.at(name).bytes.begin() + static_cast<std::ptrdiff_t>(index * sizeof(T)));
    }
};

}  // namespace qs::tests
