#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace qs::core {

// What of one kind a folder keeps: files with this extension, of so many bytes.
struct KeptKind {
    const char* extension;
    std::uintmax_t mostBytes;
};

inline constexpr KeptKind kKernelCode{".cubin", std::uintmax_t{64} << 20};
// Code may go and come back, but a choice that was made anew might be another: a hundred bytes
// each.
inline constexpr KeptKind kKernelChoices{".choice", std::uintmax_t{16} << 20};

// Code of kernels, kept between processes under what it was made of, or what was chosen of them.
// Files appear whole; a damaged one is as good as none. Any thread.
class KernelCache final
{
public:
    // Keeps nothing.
    KernelCache() = default;
    // A private folder, made when it is needed; what was not used for longest goes.
    explicit KernelCache(std::filesystem::path folder, KeptKind kind = kKernelCode)
        : m_folder(std::move(folder)), m_kind(kind)
    {
    }

    [[nodiscard]] bool keeps() const { return !m_folder.empty(); }
    [[nodiscard]] std::optional<std::string> find(const std::string& key) const;
    // Without effect where it cannot be written.
    void add(const std::string& key, const std::string& code) const;

private:
    [[nodiscard]] std::filesystem::path pathOf(const std::string& key) const;

    std::filesystem::path m_folder;
    KeptKind m_kind = kKernelCode;
};

}  // namespace qs::core
