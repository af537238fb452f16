#include "core/device/device_needs.h"

#include <fmt/format.h>

namespace qs::core {

namespace {

std::string capability(int major, int minor)
{
    return fmt::format("{}.{}", major, minor);
}

}  // namespace

std::optional<Note> whyNot(const DeviceNeeds& needs, const DeviceDescription& device)
{
    if (needs.compiler && !device.compilerLacks.empty())
        return Note{NoteCode::CompilerLacks, {device.compilerLacks, needs.what, device.id}};
    if (needs.kernels && !device.kernelsLack.empty())
        return Note{NoteCode::CompilerLacks, {device.kernelsLack, needs.what, device.id}};
    if (device.kind != DeviceKind::Cuda)
        return needs.cpu ? std::nullopt
                         : std::optional(Note{NoteCode::NeedsCuda, {needs.what, device.id}});
    if (device.atLeast(needs.computeMajor, needs.computeMinor))
        return std::nullopt;
    return Note{NoteCode::NeedsCapability,
                {needs.what, capability(needs.computeMajor, needs.computeMinor), needs.generations,
                 device.name, capability(device.computeMajor, device.computeMinor)}};
}

}  // namespace qs::core
