#include "core/model/packaged/unpack_package.h"

#include "core/base/files.h"
#include "core/base/sha256.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace qs::core::packaged {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kChunk = std::uint64_t{1} << 20U;
// That a library reads when it is to check its inputs.
constexpr std::string_view kCheckSwitch = "AOTI_RUNTIME_CHECK_INPUTS";

Result<FileDescriptor> makeFile(const fs::path& path)
{
    constexpr unsigned kOwn = 0700;
    FileDescriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwn));
    if (!file.valid())
        return ioError("create", path, errno);
    return file;
}

// Returns the SHA-256 of what was copied.
Result<std::string> copyHashed(const fs::path& from, const fs::path& to)
{
    QS_TRY(const FileDescriptor source, openForReading(from));
    QS_TRY(const FileDescriptor target, makeFile(to));
    std::vector<std::byte> buffer(kChunk);
    Sha256 hash;
    while (true) {
        QS_TRY(const std::size_t count, readSome(source, buffer, from));
        if (count == 0)
            return hash.hex();
        const std::span<const std::byte> part(buffer.data(), count);
        hash.update(part);
        QS_RETURN_IF_ERROR(writeFully(target, part, to));
    }
}

// `seen` is told of each piece.
Status unpack(const ZipArchive& zip, const ZipEntry& entry, const fs::path& to,
              const std::function<void(std::string_view)>& seen = {})
{
    QS_TRY(const FileDescriptor target, makeFile(to));
    for (std::uint64_t done = 0; done < entry.bytes; done += kChunk) {
        QS_TRY(const std::string part,
               zip.readPart(entry, done, std::min(kChunk, entry.bytes - done)));
        QS_RETURN_IF_ERROR(writeFully(target, std::as_bytes(std::span(part)), to));
        if (seen)
            seen(part);
    }
    return {};
}

// Whether a text passes by, also from one piece into the next.
class TextSearch final
{
public:
    explicit TextSearch(std::string_view text) : m_text(text) {}
    void see(std::string_view part)
    {
        if (m_found)
            return;
        m_tail += part;
        m_found = m_tail.find(m_text) != std::string::npos;
        m_tail.erase(0, m_tail.size() - std::min(m_tail.size(), m_text.size()));
    }
    [[nodiscard]] bool found() const { return m_found; }

private:
    std::string_view m_text;
    std::string m_tail;
    bool m_found = false;
};

}  // namespace

Result<UnpackedPackage> unpackPackage(const fs::path& package, const std::string& sha256,
                                      const fs::path& folder)
{
    const fs::path copy = folder / "package.pt2";
    QS_TRY(const std::string hash, copyHashed(package, copy));
    if (hash != sha256)
        return Error{ErrorCode::InvalidArgument,
                     package.string() + " has changed since it was trusted: its SHA-256 is " +
                         hash};
    QS_TRY(const ZipArchive zip, ZipArchive::open(copy));
    auto archive = readPackage(zip);
    if (!archive.ok())
        return archive.error();
    UnpackedPackage unpacked{
        folder, folder / fileNameOf(archive.value().library), {}, archive.value().device};
    TextSearch search(kCheckSwitch);
    QS_RETURN_IF_ERROR(unpack(zip, archive.value().library, unpacked.library,
                              [&](std::string_view part) { search.see(part); }));
    unpacked.checksInputs = search.found();
    for (const ZipEntry& each : archive.value().besides) {
        const fs::path place = folder / fileNameOf(each);
        QS_RETURN_IF_ERROR(unpack(zip, each, place));
        if (place.extension() == ".blob")
            unpacked.weights = place;
    }
    QS_RETURN_IF_ERROR(removeFile(copy));
    return unpacked;
}

}  // namespace qs::core::packaged
