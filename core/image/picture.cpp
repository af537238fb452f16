#include "core/image/picture.h"

#include "core/base/checks.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace qs::core {

namespace {

std::string sizeText(std::int64_t width, std::int64_t height)
{
    return std::to_string(width) + " x " + std::to_string(height);
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text = "[";
    for (const std::int64_t extent : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
    return text + "]";
}

std::size_t valueCount(std::int64_t width, std::int64_t height, std::int64_t channels)
{
    return static_cast<std::size_t>(width * height * channels);
}

Picture interleave(std::span<const float> planes, int width, int height, int channels)
{
    Picture picture = makePicture(width, height, channels);
    const std::size_t pixels = valueCount(width, height, 1);
    const auto step = static_cast<std::size_t>(channels);
    for (std::size_t channel = 0; channel < step; ++channel) {
        for (std::size_t pixel = 0; pixel < pixels; ++pixel)
            picture.values[pixel * step + channel] = planes[channel * pixels + pixel];
    }
    return picture;
}

}  // namespace

Picture makePicture(int width, int height, int channels, float value)
{
    QS_ASSERT(checkPictureSize(width, height).ok());
    QS_ASSERT(channels == 1 || channels == 3);
    return {width, height, channels,
            std::vector<float>(valueCount(width, height, channels), value)};
}

Status checkPictureSize(std::int64_t width, std::int64_t height)
{
    if (width < 1 || height < 1)
        return Error{ErrorCode::Format, "the size " + sizeText(width, height) + " is not positive"};
    if (width > kMaxPictureSide || height > kMaxPictureSide || width * height > kMaxPicturePixels)
        return Error{ErrorCode::Format, "the size " + sizeText(width, height) +
                                            " is beyond the limit of " +
                                            std::to_string(kMaxPictureSide) + " per side and " +
                                            std::to_string(kMaxPicturePixels / 1'000'000) +
                                            " megapixels; make the image smaller first"};
    return {};
}

Status checkPicture(const Picture& picture)
{
    QS_RETURN_IF_ERROR(checkPictureSize(picture.width, picture.height));
    if (picture.channels != 1 && picture.channels != 3)
        return Error{ErrorCode::InvalidArgument,
                     "an image has 1 or 3 channels, not " + std::to_string(picture.channels)};
    if (picture.values.size() != valueCount(picture.width, picture.height, picture.channels))
        return Error{ErrorCode::InvalidArgument,
                     "an image of " + sizeText(picture.width, picture.height) + " x " +
                         std::to_string(picture.channels) + " has " +
                         std::to_string(picture.values.size()) + " values"};
    return {};
}

FloatArray toPlanar(const Picture& picture)
{
    QS_ASSERT(checkPicture(picture).ok());
    FloatArray array{{picture.channels, picture.height, picture.width},
                     std::vector<float>(picture.values.size())};
    const auto channels = static_cast<std::size_t>(picture.channels);
    const std::size_t pixels = picture.values.size() / channels;
    for (std::size_t channel = 0; channel < channels; ++channel) {
        for (std::size_t pixel = 0; pixel < pixels; ++pixel)
            array.values[channel * pixels + pixel] = picture.values[pixel * channels + channel];
    }
    return array;
}

Result<std::vector<Picture>> picturesFromPlanar(const FloatArray& array)
{
    const auto refuse = [&](const std::string& why) {
        return Error{ErrorCode::InvalidArgument, "an array of shape " + shapeText(array.shape) +
                                                     " does not contain images: " + why};
    };
    if (array.shape.size() != 4)
        return refuse("images are [N, C, H, W]");
    const std::int64_t count = array.shape[0];
    const std::int64_t channels = array.shape[1];
    if (channels != 1 && channels != 3)
        return refuse("an image has 1 or 3 channels");
    const std::int64_t height = array.shape[2];
    const std::int64_t width = array.shape[3];
    if (const Status size = checkPictureSize(width, height); !size.ok())
        return refuse(size.error().message);
    const std::size_t each = valueCount(width, height, channels);
    if (count < 0 || array.values.size() % each != 0 ||
        array.values.size() / each != static_cast<std::size_t>(count))
        return refuse("it has " + std::to_string(array.values.size()) + " values");
    std::vector<Picture> pictures;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        pictures.push_back(interleave(std::span(array.values).subspan(i * each, each),
                                      static_cast<int>(width), static_cast<int>(height),
                                      static_cast<int>(channels)));
    return pictures;
}

Result<Picture> pictureFromPlanar(const FloatArray& array)
{
    if (array.shape.size() == 3) {
        FloatArray batch = array;
        batch.shape.insert(batch.shape.begin(), 1);
        return pictureFromPlanar(batch);
    }
    if (!array.shape.empty() && array.shape[0] != 1)
        return Error{ErrorCode::InvalidArgument,
                     "an array of shape " + shapeText(array.shape) + " is not one image [C, H, W]"};
    QS_TRY(std::vector<Picture> pictures, picturesFromPlanar(array));
    return std::move(pictures.front());
}

std::uint8_t toByte(float value)
{
    if (!(value > 0.0F))
        return 0;
    return static_cast<std::uint8_t>(std::min(static_cast<double>(value), 1.0) * 255.0 + 0.5);
}

std::vector<std::uint8_t> toBytes(const Picture& picture)
{
    std::vector<std::uint8_t> bytes(picture.values.size());
    std::transform(picture.values.begin(), picture.values.end(), bytes.begin(), toByte);
    return bytes;
}

Result<Picture> pictureFromBytes(int width, int height, int channels,
                                 std::span<const std::uint8_t> bytes)
{
    Picture picture{width, height, channels, std::vector<float>(bytes.size())};
    std::transform(bytes.begin(), bytes.end(), picture.values.begin(),
                   [](std::uint8_t byte) { return static_cast<float>(byte) / 255.0F; });
    QS_RETURN_IF_ERROR(checkPicture(picture));
    return picture;
}

Picture toRgb(Picture picture)
{
    if (picture.channels == 3)
        return picture;
    Picture rgb = makePicture(picture.width, picture.height, 3);
    for (std::size_t pixel = 0; pixel < picture.values.size(); ++pixel)
        std::fill_n(rgb.values.begin() + static_cast<std::ptrdiff_t>(3 * pixel), 3,
                    picture.values[pixel]);
    return rgb;
}

Picture clamped(Picture picture, float low, float high)
{
    for (float& value : picture.values)
        value = std::isnan(value) ? value : std::clamp(value, low, high);
    return picture;
}

Picture cropped(const Picture& picture, int x, int y, int width, int height)
{
    QS_ASSERT(x >= 0 && y >= 0 && width > 0 && height > 0);
    QS_ASSERT(width <= picture.width - x && height <= picture.height - y);
    Picture part = makePicture(width, height, picture.channels);
    const std::size_t rowValues = valueCount(width, 1, picture.channels);
    for (int row = 0; row < height; ++row)
        std::copy_n(picture.values.data() + picture.index(x, y + row, 0), rowValues,
                    part.values.data() + part.index(0, row, 0));
    return part;
}

}  // namespace qs::core
