#pragma once

#include <filesystem>
#include <mutex>

namespace qs::core {

// A file or folder that must not outlive the program, also when a signal ends it: from the making
// of this object to its end, removeTemporaries() removes what has that name.
class Temporary final
{
public:
    Temporary() = default;
    explicit Temporary(std::filesystem::path path);
    ~Temporary();
    Temporary(Temporary&& other) noexcept;
    Temporary& operator=(Temporary&& other) noexcept;
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    // Empty when there is none, or none any more.
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    // It stands under another name now, or has gone.
    void forget();

private:
    std::filesystem::path m_path;
};

// For a program that has to end without getting to the end of its objects' lives. From any thread.
// As long as what comes back lives no thread can make another one, nor end the life of one.
[[nodiscard]] std::unique_lock<std::mutex> removeTemporaries();

}  // namespace qs::core
