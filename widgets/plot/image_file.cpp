#include "widgets/plot/image_file.h"

#include "core/base/files.h"

#include <QBuffer>

namespace qs::widgets {

core::Status writePng(const QImage& image, const std::filesystem::path& path)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        return core::Error{core::ErrorCode::Internal, "the image could not be encoded"};
    return core::writeFileAtomically(
        path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace qs::widgets
