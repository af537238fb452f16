#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::tests {

// One entry of a zip file made by hand: what is given replaces the truth.
struct RawZipEntry {
    std::string name;
    std::string content = {};
    bool deflated = false;
    std::uint16_t flags = 0;
    std::optional<std::uint16_t> method = std::nullopt;
    std::optional<std::uint64_t> bytes = std::nullopt;        // that it claims to unpack to
    std::optional<std::uint64_t> storedBytes = std::nullopt;  // that it claims to have
    std::optional<std::uint32_t> checksum = std::nullopt;
    std::optional<std::uint64_t> headerOffset = std::nullopt;
    std::optional<std::string> headerName = std::nullopt;  // in its own header
    std::uint32_t attributes = 0;                          // those of Unix, as in st_mode
    bool large = false;                                    // its sizes stand in ZIP64 fields
};

struct RawZip {
    std::vector<RawZipEntry> entries;
    std::string comment = {};
    std::optional<std::uint16_t> count = std::nullopt;
    std::optional<std::uint32_t> directoryOffset = std::nullopt;
    std::optional<std::uint32_t> directoryBytes = std::nullopt;
};

// The bytes of such a file.
[[nodiscard]] std::string rawZip(const RawZip& zip);

}  // namespace qs::tests
