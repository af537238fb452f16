#include "tests/model/safetensors/safetensors_bytes.h"

namespace qs::tests {

std::string lengthPrefix(std::uint64_t length)
{
    std::string bytes;
    for (unsigned shift = 0; shift < 64; shift += 8)
        bytes += static_cast<char>((length >> shift) & 255U);
    return bytes;
}

std::string safetensorsBytes(std::string_view header, std::string_view data)
{
    return lengthPrefix(header.size()) + std::string(header) + std::string(data);
}

std::string safetensorsRefusal(const TestFolder& folder, std::string_view bytes,
                               const core::SafetensorsLimits& limits)
{
    writeFile(folder / "model.safetensors", bytes);
    const auto file = core::openSafetensors(folder / "model.safetensors", limits);
    return file.ok() ? "accepted" : file.error().message;
}

}  // namespace qs::tests
