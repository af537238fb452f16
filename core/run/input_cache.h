#pragma once

#include "core/image/picture.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace qs::core {

// Pictures that were decoded, cropped and scaled before, by what they were made of. Every sweep
// keeps copies of its inputs, so nothing but time is lost when the cache is emptied. Several
// programs may use one folder at a time.
class InputCache final
{
public:
    static constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30U;

    // An empty folder remembers nothing. Beyond `mostBytes`, what was not used for longest goes.
    explicit InputCache(std::filesystem::path folder = {}, std::uintmax_t mostBytes = kMostBytes)
        : m_folder(std::move(folder)), m_mostBytes(mostBytes)
    {
    }

    // `source` names everything that decides the values of the picture: content of the file, crop,
    // size, version of the code. Nothing if it is not there or was damaged.
    [[nodiscard]] std::optional<Picture> find(const std::string& source) const;
    // A cache that cannot be written is no fault of the run: nothing is remembered then, nor when
    // stopped.
    void add(const std::string& source, const Picture& picture,
             const std::stop_token& stop = {}) const;

private:
    [[nodiscard]] std::filesystem::path fileOf(const std::string& source) const;

    std::filesystem::path m_folder;
    std::uintmax_t m_mostBytes;
};

}  // namespace qs::core
