#include "core/record/journal/journal_bytes.h"

#include "core/base/files.h"

#include <zlib.h>

#include <cerrno>
#include <span>

namespace qs::core {

namespace {

constexpr std::size_t kPackedBytes = std::size_t{64} << 10U;  // read at a time
constexpr int kGzip = 16 + MAX_WBITS;                         // for inflateInit2

}  // namespace

void JournalBytes::End::operator()(z_stream_s* stream) const
{
    inflateEnd(stream);
    delete stream;
}

Result<JournalBytes> JournalBytes::of(const FileDescriptor& file, const std::filesystem::path& path)
{
    JournalBytes bytes(file, path);
    if (path.extension() != ".gz")
        return bytes;
    bytes.m_unpacking.reset(new z_stream{});
    if (inflateInit2(bytes.m_unpacking.get(), kGzip) != Z_OK)
        return ioError("unpack", path, ENOMEM);
    return bytes;
}

Result<std::size_t> JournalBytes::readFile(std::string& buffer)
{
    return readSome(*m_file, std::as_writable_bytes(std::span(buffer)), m_path);
}

Result<std::size_t> JournalBytes::read(std::string& buffer)
{
    if (!m_unpacking)
        return readFile(buffer);
    m_unpacking->next_out = reinterpret_cast<Bytef*>(buffer.data());
    m_unpacking->avail_out = static_cast<uInt>(buffer.size());
    while (!m_ended && m_unpacking->avail_out > 0)
        QS_RETURN_IF_ERROR(unpackSome());
    return buffer.size() - m_unpacking->avail_out;
}

// Whether there is more to unpack.
Result<bool> JournalBytes::refill()
{
    if (m_unpacking->avail_in > 0)
        return true;
    m_packed.resize(kPackedBytes);
    QS_TRY(const std::size_t count, readFile(m_packed));
    m_unpacking->next_in = reinterpret_cast<Bytef*>(m_packed.data());
    m_unpacking->avail_in = static_cast<uInt>(count);
    return count > 0;
}

Status JournalBytes::unpackSome()
{
    QS_TRY(const bool more, refill());
    if (!more) {
        m_ended = true;
        if (!m_betweenParts)
            m_problem = "its compressed data end too early";
        return {};
    }
    if (m_betweenParts)
        inflateReset(m_unpacking.get());
    const int code = inflate(m_unpacking.get(), Z_NO_FLUSH);
    m_betweenParts = code == Z_STREAM_END;
    // No room or nothing left to read is no error.
    if (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR)
        return {};
    m_ended = true;
    m_problem = "its compressed data are damaged";
    if (m_unpacking->msg != nullptr)
        m_problem += std::string(" (") + m_unpacking->msg + ")";
    return {};
}

}  // namespace qs::core
