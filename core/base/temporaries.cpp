#include "core/base/temporaries.h"

#include <set>
#include <system_error>
#include <utility>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

struct Living {
    std::mutex mutex;
    std::multiset<fs::path> paths;
};

// Never destroyed: objects may live longer than what is destroyed at the end of the program.
Living& living()
{
    static auto* const all = new Living;
    return *all;
}

}  // namespace

Temporary::Temporary(fs::path path) : m_path(std::move(path))
{
    Living& all = living();
    const std::lock_guard guard(all.mutex);
    all.paths.insert(m_path);
}

Temporary::~Temporary()
{
    forget();
}

Temporary::Temporary(Temporary&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}

Temporary& Temporary::operator=(Temporary&& other) noexcept
{
    if (this != &other) {
        forget();
        m_path = std::exchange(other.m_path, {});
    }
    return *this;
}

void Temporary::forget()
{
    if (m_path.empty())
        return;
    Living& all = living();
    const std::lock_guard guard(all.mutex);
    if (const auto found = all.paths.find(m_path); found != all.paths.end())
        all.paths.erase(found);
    m_path.clear();
}

std::unique_lock<std::mutex> removeTemporaries()
{
    // Other threads may still write into folders.
    constexpr int kAttempts = 5;
    Living& all = living();
    std::unique_lock lock(all.mutex);
    for (const fs::path& path : all.paths) {
        std::error_code ignored;
        for (int attempt = 0; attempt < kAttempts && fs::exists(path, ignored); ++attempt)
            fs::remove_all(path, ignored);
    }
    all.paths.clear();
    return lock;
}

}  // namespace qs::core
