#include "core/engine/internal/spoken_errors.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string_view>

namespace qs::engine {

namespace {

constexpr std::size_t kMostBytes = 4096;  // that are looked at

}  // namespace

SpokenErrors::SpokenErrors(const std::filesystem::path& folder)
{
    const std::string file = (folder / "said").string();
    m_file = core::FileDescriptor(
        ::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
    static_cast<void>(::unlink(file.c_str()));
    std::fflush(stderr);
    if (m_file.valid())
        m_before = core::FileDescriptor(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
    if (m_before.valid())
        static_cast<void>(::dup2(m_file.get(), STDERR_FILENO));
}

SpokenErrors::~SpokenErrors()
{
    if (!m_before.valid())
        return;
    std::fflush(stderr);
    static_cast<void>(::dup2(m_before.get(), STDERR_FILENO));
    const std::string text = written();
    std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string SpokenErrors::written() const
{
    std::string text(kMostBytes, '\0');
    const auto count = ::pread(m_file.get(), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<decltype(count)>(count, 0)));
    return text;
}

std::string SpokenErrors::take(const std::string& otherwise)
{
    if (!m_before.valid())
        return otherwise;
    std::fflush(stderr);
    const std::string all = written();
    std::string_view text(all);
    constexpr std::string_view kWord = "Error: ";
    if (const auto at = text.find(kWord); at != std::string_view::npos)
        text.remove_prefix(at + kWord.size());
    text = text.substr(0, text.find('\n'));
    return text.empty() ? otherwise : core::cleanLine(core::excerpt(text, 2 * core::kMostQuoted));
}

}  // namespace qs::engine
