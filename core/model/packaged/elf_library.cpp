#include "core/model/packaged/elf_library.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace qs::core::packaged {

namespace {

using namespace std::string_view_literals;

struct Machine {
    std::uint16_t number;  // e_machine
    const char* name;
};
constexpr std::array<Machine, 6> kMachines{{{62, "x86-64"},
                                            {183, "AArch64"},
                                            {3, "x86 (32 bits)"},
                                            {40, "ARM (32 bits)"},
                                            {243, "RISC-V"},
                                            {21, "PowerPC"}}};

#if defined(__x86_64__)
constexpr std::uint16_t kThisMachine = 62;
#elif defined(__aarch64__)
constexpr std::uint16_t kThisMachine = 183;
#else
constexpr std::uint16_t kThisMachine = 0;
#endif

std::string nameOf(std::uint16_t machine)
{
    for (const Machine& each : kMachines) {
        if (each.number == machine)
            return each.name;
    }
    return fmt::format("machine {}", machine);
}

// Little-endian, as everything below.
std::uint64_t numberAt(std::string_view bytes, std::size_t place, std::size_t width)
{
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < width; ++i)
        number |= std::uint64_t{static_cast<unsigned char>(bytes[place + i])} << (8 * i);
    return number;
}

// A table of `count` entries lies within the file.
bool lies(std::uint64_t begin, std::uint64_t count, std::uint64_t each, std::uint64_t bytes)
{
    return begin <= bytes && count * each <= bytes - begin;
}

Error refuse(const std::string& why)
{
    return {ErrorCode::Unsupported, why};
}

}  // namespace

Status checkLibrary(std::string_view header, std::uint64_t bytes)
{
    constexpr char kBits64 = 2;
    constexpr char kLittleEndian = 1;
    constexpr std::uint64_t kSharedObject = 3;
    constexpr std::uint64_t kSegmentBytes = 56;
    constexpr std::uint64_t kSectionBytes = 64;
    if (header.size() < kElfHeaderBytes || !header.starts_with("\x7f"
                                                               "ELF"sv))
        return refuse("is no library (ELF)");
    if (header[4] != kBits64 || header[5] != kLittleEndian)
        return refuse("is a library of 32 bits or of another byte order");
    const auto machine = static_cast<std::uint16_t>(numberAt(header, 18, 2));
    if (machine != kThisMachine)
        return refuse("is compiled for " + nameOf(machine) + ", and this machine is " +
                      nameOf(kThisMachine));
    if (numberAt(header, 16, 2) != kSharedObject)
        return refuse("is no shared library");
    const std::uint64_t segments = numberAt(header, 56, 2);
    const std::uint64_t sections = numberAt(header, 60, 2);
    if (segments == 0 || numberAt(header, 54, 2) != kSegmentBytes ||
        !lies(numberAt(header, 32, 8), segments, kSegmentBytes, bytes) ||
        (sections > 0 && !lies(numberAt(header, 40, 8), sections, kSectionBytes, bytes)))
        return refuse("is a damaged library: its tables lie beyond its end");
    return {};
}

}  // namespace qs::core::packaged
