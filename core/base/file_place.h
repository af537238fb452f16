#pragma once

#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>

namespace qs::core {

// Where a file or a folder lies. What the user named may be reached through links. What lies inside
// a folder that anybody may have made is another matter: only the folder itself was named, so below
// it no link is followed, and an archive full of links reaches nothing outside.
class FilePlace final
{
public:
    // Named by the user or the system. Implicit: it is what a path alone means.
    template <typename Path>
    requires(std::is_convertible_v<const Path&, std::filesystem::path>) FilePlace(const Path& path)
        : m_path(path)
    {
    }

    // `relative` goes downwards only: an absolute one, or one with "..", is refused when it is
    // used.
    [[nodiscard]] static FilePlace inside(std::filesystem::path folder,
                                          std::filesystem::path relative)
    {
        FilePlace place(folder / relative);
        place.m_folder = std::move(folder);
        place.m_relative = std::move(relative);
        return place;
    }

    [[nodiscard]] bool isInside() const { return !m_relative.empty(); }
    // Of one that is inside.
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
    [[nodiscard]] const std::filesystem::path& relative() const { return m_relative; }

    // For messages, and for those who make sure themselves.
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::string string() const { return m_path.string(); }

    friend bool operator==(const FilePlace&, const FilePlace&) = default;

private:
    std::filesystem::path m_path;
    std::filesystem::path m_folder;
    std::filesystem::path m_relative;
};

}  // namespace qs::core
