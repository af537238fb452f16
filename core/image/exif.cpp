#include "core/image/exif.h"

#include "core/base/checks.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace qs::core {

namespace {

constexpr std::string_view kPrefix{"Exif\0\0", 6};
constexpr std::uint32_t kOrientationTag = 0x0112;
constexpr std::uint32_t kShortType = 3;
constexpr std::size_t kEntryBytes = 12;

// Numbers of a TIFF structure; every access is checked against its end.
class TiffBytes final
{
public:
    TiffBytes(std::span<const std::byte> bytes, bool bigEndian) : m_bytes(bytes), m_big(bigEndian)
    {
    }

    [[nodiscard]] std::optional<std::uint32_t> number(std::size_t at, std::size_t size) const
    {
        if (at > m_bytes.size() || size > m_bytes.size() - at)
            return std::nullopt;
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t next = m_big ? at + i : at + size - 1 - i;
            value = (value << 8U) | std::to_integer<std::uint32_t>(m_bytes[next]);
        }
        return value;
    }

private:
    std::span<const std::byte> m_bytes;
    bool m_big;
};

}  // namespace

int exifOrientation(std::span<const std::byte> segment)
{
    if (segment.size() < kPrefix.size() + 8 ||
        std::memcmp(segment.data(), kPrefix.data(), kPrefix.size()) != 0)
        return 1;
    const auto tiff = segment.subspan(kPrefix.size());
    const bool bigEndian = tiff[0] == std::byte{'M'};
    const TiffBytes bytes(tiff, bigEndian);
    const std::uint32_t order = bigEndian ? 0x4D4DU : 0x4949U;
    if (bytes.number(0, 2) != order || bytes.number(2, 2) != 42U)
        return 1;
    const std::size_t directory = bytes.number(4, 4).value_or(0);
    const std::uint32_t entries = bytes.number(directory, 2).value_or(0);
    // At most 65535 entries, and the first one beyond the end stops the search.
    for (std::uint32_t i = 0; i < entries; ++i) {
        const std::size_t at = directory + 2 + i * kEntryBytes;
        const auto tag = bytes.number(at, 2);
        if (!tag)
            return 1;
        if (*tag != kOrientationTag)
            continue;
        const std::uint32_t value = bytes.number(at + 8, 2).value_or(1);
        const bool usable = bytes.number(at + 2, 2) == kShortType && bytes.number(at + 4, 4) == 1U;
        return usable && value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

Picture applyOrientation(Picture picture, int orientation)
{
    QS_ASSERT(orientation >= 1 && orientation <= 8);
    if (orientation == 1)
        return picture;
    const bool swapped = orientation >= 5;
    const bool mirrorX =
        orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool mirrorY =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Picture turned = makePicture(swapped ? picture.height : picture.width,
                                 swapped ? picture.width : picture.height, picture.channels);
    for (int y = 0; y < turned.height; ++y) {
        for (int x = 0; x < turned.width; ++x) {
            // From where in the stored picture this pixel comes.
            int fromX = swapped ? y : x;
            int fromY = swapped ? x : y;
            fromX = mirrorX ? picture.width - 1 - fromX : fromX;
            fromY = mirrorY ? picture.height - 1 - fromY : fromY;
            std::copy_n(picture.values.data() + picture.index(fromX, fromY, 0), picture.channels,
                        turned.values.data() + turned.index(x, y, 0));
        }
    }
    return turned;
}

}  // namespace qs::core
