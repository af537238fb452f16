#include "core/base/npy_writer.h"

#include "core/base/npy_header.h"
#include "core/base/stop.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

namespace qs::core {

namespace {

// The header is written last, when the number of entries is known: room for any shape.
constexpr std::size_t kHeaderBytes = 192;
// Between two looks at the stop; a slow disk takes some tenths of a second for it.
constexpr std::size_t kPieceValues = std::size_t{2} << 20U;

}  // namespace

Result<NpyWriter> NpyWriter::create(const FilePlace& place, std::vector<std::int64_t> entry,
                                    const std::string& unfinished)
{
    QS_TRY(OpenFolder folder, openFolderOf(place));
    NpyWriter writer(place.path(), std::move(folder), std::move(entry));
    const int inside = writer.m_folder.descriptor.get();
    const std::string name = writer.m_folder.name + unfinished;
    // What a killed program left there, or what somebody else put there to be followed.
    ::unlinkat(inside, name.c_str(), 0);
    writer.m_file = FileDescriptor(
        ::openat(inside, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!writer.m_file.valid())
        return ioError("create", writer.m_path, errno);
    writer.m_unfinished = name;
    if (::lseek(writer.m_file.get(), kHeaderBytes, SEEK_SET) < 0)
        return ioError("write", writer.m_path, errno);
    return writer;
}

NpyWriter::~NpyWriter()
{
    if (!m_unfinished.empty())
        ::unlinkat(m_folder.descriptor.get(), m_unfinished.c_str(), 0);
}

NpyWriter::NpyWriter(NpyWriter&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_folder(std::move(other.m_folder)),
      m_unfinished(std::exchange(other.m_unfinished, {})),
      m_file(std::move(other.m_file)),
      m_entry(std::move(other.m_entry)),
      m_count(other.m_count),
      m_whole(other.m_whole)
{
}

Status NpyWriter::append(std::span<const float> values, const std::stop_token& stop)
{
    std::size_t expected = 1;
    for (const std::int64_t extent : m_entry)
        expected *= static_cast<std::size_t>(extent);
    QS_ASSERT(values.size() == expected);
    m_whole = false;
    while (!values.empty()) {
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        const auto piece = values.first(std::min(kPieceValues, values.size()));
        QS_RETURN_IF_ERROR(writeFully(m_file, std::as_bytes(piece), m_path));
        // Now, while it can be stopped, and not all of it at the end.
        if (::fdatasync(m_file.get()) != 0)
            return ioError("sync", m_path, errno);
        values = values.subspan(piece.size());
    }
    m_whole = true;
    ++m_count;
    return {};
}

Status NpyWriter::finish()
{
    QS_ASSERT(m_whole && !m_unfinished.empty());
    std::vector<std::int64_t> shape{m_count};
    shape.insert(shape.end(), m_entry.begin(), m_entry.end());
    const std::string header = npyHeader(shape, kHeaderBytes);
    if (::lseek(m_file.get(), 0, SEEK_SET) < 0)
        return ioError("write", m_path, errno);
    QS_RETURN_IF_ERROR(
        writeFully(m_file, std::as_bytes(std::span(header.data(), header.size())), m_path));
    if (::fsync(m_file.get()) != 0)
        return ioError("sync", m_path, errno);
    const int inside = m_folder.descriptor.get();
    if (::renameat(inside, m_unfinished.c_str(), inside, m_folder.name.c_str()) != 0)
        return ioError("replace", m_path, errno);
    m_unfinished.clear();
    // The descriptor of the folder is only good for finding files in it.
    const FileDescriptor folder(::openat(inside, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid() || ::fsync(folder.get()) != 0)
        return ioError("sync", m_path.parent_path(), errno);
    return {};
}

}  // namespace qs::core
