#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace qs::core {

// Code of kernels, kept between processes under what it was made of. Files appear whole; a damaged
// one is as good as none. Any thread.
class KernelCache final
{
public:
    // Keeps nothing.
    KernelCache() = default;
    // A private folder, made when it is needed; what was not used for longest goes.
    explicit KernelCache(std::filesystem::path folder, std::uintmax_t mostBytes = kMostBytes)
        : m_folder(std::move(folder)), m_mostBytes(mostBytes)
    {
    }

    [[nodiscard]] bool keeps() const { return !m_folder.empty(); }
    [[nodiscard]] std::optional<std::string> find(const std::string& key) const;
    // Without effect where it cannot be written.
    void add(const std::string& key, const std::string& code) const;

private:
    static constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;

    [[nodiscard]] std::filesystem::path pathOf(const std::string& key) const;

    std::filesystem::path m_folder;
    std::uintmax_t m_mostBytes = kMostBytes;
};

}  // namespace qs::core
