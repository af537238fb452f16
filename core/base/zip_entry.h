#pragma once

#include <cstdint>
#include <string>

namespace qs::core {

// One file of an archive.
struct ZipEntry {
    std::string name;
    std::uint64_t offset = 0;       // of its content in the archive
    std::uint64_t storedBytes = 0;  // there
    std::uint64_t bytes = 0;        // when it is unpacked
    std::uint32_t checksum = 0;     // CRC-32 of what is unpacked
    bool deflated = false;          // else stored as it is
};

}  // namespace qs::core
