#include "app/gui/gathered_images.h"

#include <QDateTime>

#include <iomanip>
#include <sstream>
#include <string>
#include <system_error>

namespace qs::app {

namespace fs = std::filesystem;

namespace {

// Images are used in the order of their names.
std::string linkName(std::size_t index, const fs::path& image)
{
    constexpr int kDigits = 4;
    std::ostringstream name;
    name << std::setw(kDigits) << std::setfill('0') << index + 1 << '-'
         << image.filename().string();
    return name.str();
}

// A folder of its own for each time.
fs::path freshFolder(const fs::path& place)
{
    const std::string base =
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss")).toStdString();
    fs::path folder = place / base;
    std::error_code error;
    for (int number = 2; fs::exists(folder, error); ++number)
        folder = place / (base + "-" + std::to_string(number));
    return folder;
}

}  // namespace

core::Result<fs::path> gatherImages(const std::vector<fs::path>& images, const fs::path& place)
{
    const fs::path folder = freshFolder(place);
    std::error_code error;
    fs::create_directories(folder, error);
    for (std::size_t i = 0; !error && i < images.size(); ++i)
        fs::create_symlink(fs::absolute(images[i], error), folder / linkName(i, images[i]), error);
    if (error)
        return core::Error{core::ErrorCode::Io, folder.string() + ": " + error.message()};
    return folder;
}

}  // namespace qs::app
