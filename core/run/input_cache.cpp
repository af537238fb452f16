#include "core/run/input_cache.h"

#include "core/base/bounded_folder.h"
#include "core/base/files.h"
#include "core/base/npy.h"
#include "core/base/npy_writer.h"
#include "core/base/sha256.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <vector>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

// A square of the largest side that pictures are made at, with room for its header.
constexpr std::uint64_t kLargestEntry = (std::uint64_t{3} * 4096 * 4096 * 4) + 4096;

// Of files that a program is writing, or was when it was killed.
constexpr const char* kUnfinished = ".part";

}  // namespace

fs::path InputCache::fileOf(const std::string& source) const
{
    return m_folder / (sha256Hex(source) + ".npy");
}

std::optional<Picture> InputCache::find(const std::string& source) const
{
    if (m_folder.empty())
        return std::nullopt;
    const fs::path file = fileOf(source);
    const auto array = readNpy(file, kLargestEntry);
    if (!array.ok())
        return std::nullopt;
    auto picture = pictureFromPlanar(array.value());
    if (!picture.ok() || picture.value().channels != 3 ||
        !std::all_of(picture.value().values.begin(), picture.value().values.end(),
                     [](float value) { return value >= 0.0F && value <= 1.0F; }))
        return std::nullopt;
    markUsed(file);
    return std::move(picture).value();
}

void InputCache::add(const std::string& source, const Picture& picture,
                     const std::stop_token& stop) const
{
    if (m_folder.empty() || !createFolders(m_folder).ok())
        return;
    const FloatArray planes = toPlanar(picture);
    // Programs that share the folder must not write into each other's files.
    auto writer = NpyWriter::create(fileOf(source), {picture.height, picture.width},
                                    "." + std::to_string(::getpid()) + kUnfinished);
    if (!writer.ok())
        return;
    const std::size_t pixels = planes.values.size() / static_cast<std::size_t>(planes.shape[0]);
    for (std::size_t begin = 0; begin < planes.values.size(); begin += pixels) {
        if (!writer.value().append(std::span(planes.values).subspan(begin, pixels), stop).ok())
            return;
    }
    if (writer.value().finish().ok())
        keepWithin(m_folder, {".npy", kUnfinished}, m_mostBytes);
}

}  // namespace qs::core
