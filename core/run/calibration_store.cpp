#include "core/run/calibration_store.h"

#include "core/base/atomic_file.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <system_error>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;

}  // namespace

Result<std::vector<StoredCalibration>> storedCalibrations(const fs::path& place)
{
    std::error_code error;
    std::vector<fs::path> files;
    if (fs::is_directory(place, error)) {
        for (fs::directory_iterator each(place, error), end; !error && each != end;
             each.increment(error)) {
            std::error_code gone;
            if (each->path().extension() == kCalibrationExtension && !each->is_directory(gone))
                files.push_back(each->path());
        }
    } else if (fs::exists(place, error)) {
        files.push_back(place);
    } else {
        return Error{ErrorCode::NotFound, place.string() + " is not there"};
    }
    if (error)
        return Error{ErrorCode::Io, "cannot read " + place.string() + ": " + error.message()};
    std::sort(files.begin(), files.end());
    std::vector<StoredCalibration> entries;
    for (const fs::path& file : files)
        entries.push_back({file, readCalibrationEntry(file)});
    return entries;
}

Result<bool> copyCalibration(const fs::path& file, const fs::path& folder)
{
    const fs::path copy = folder / file.filename();
    if (isThere(copy) && readCalibrationEntry(copy).ok())
        return false;
    QS_RETURN_IF_ERROR(createFolders(folder));
    QS_TRY(const FileDescriptor source, openForReading(file));
    QS_TRY(AtomicFile target, AtomicFile::create(copy));
    std::vector<std::byte> piece(kPiece);
    while (true) {
        QS_TRY(const std::size_t size, readSome(source, piece, file));
        if (size == 0)
            break;
        QS_RETURN_IF_ERROR(target.write({reinterpret_cast<const char*>(piece.data()), size}));
    }
    QS_RETURN_IF_ERROR(target.commit());
    return true;
}

}  // namespace qs::core
