#include "core/model/olmoearth/variant.h"

#include "core/base/excerpt.h"
#include "core/base/text_parts.h"

#include <algorithm>
#include <charconv>

namespace qs::core::olmoearth {

namespace {

constexpr std::int64_t kMostWidth = 65536;
constexpr std::int64_t kMostDepth = 1000;

Error invalid(std::string_view text)
{
    return {ErrorCode::InvalidArgument,
            "\"" + excerpt(std::string(text)) +
                "\" is no OlmoEarth encoder: write nano, tiny, small, base, large or giga, or "
                "w64_d2_h4, and behind a slash what it sees: s2, s1, landsat, joined by +"};
}

// "w64" -> 64
std::optional<std::int64_t> numberBehind(std::string_view part, char letter, std::int64_t most)
{
    std::int64_t number = 0;
    if (part.empty() || part.front() != letter)
        return std::nullopt;
    const auto [end, error] = std::from_chars(part.data() + 1, part.data() + part.size(), number);
    if (error != std::errc() || end != part.data() + part.size() || number < 1 || number > most)
        return std::nullopt;
    return number;
}

bool readSize(std::string_view text, Variant& variant)
{
    for (const PublishedSize& size : publishedSizes()) {
        if (text == size.name) {
            variant.width = size.width;
            variant.depth = size.depth;
            variant.heads = size.heads;
            return true;
        }
    }
    const std::vector<std::string> parts = splitAt(text, '_');
    if (parts.size() != 3)
        return false;
    const auto width = numberBehind(parts[0], 'w', kMostWidth);
    const auto depth = numberBehind(parts[1], 'd', kMostDepth);
    const auto heads = numberBehind(parts[2], 'h', kMostWidth);
    if (!width || !depth || !heads)
        return false;
    variant.width = *width;
    variant.depth = *depth;
    variant.heads = *heads;
    return true;
}

bool readModalities(std::string_view text, Variant& variant)
{
    variant.seen.clear();
    for (const std::string& part : splitAt(text, '+')) {
        const auto& all = modalities();
        const auto found = std::find_if(
            all.begin(), all.end(), [&](const Modality& each) { return part == each.shortName; });
        if (found == all.end())
            return false;
        variant.seen.push_back(static_cast<std::size_t>(found - all.begin()));
    }
    std::sort(variant.seen.begin(), variant.seen.end());
    return std::adjacent_find(variant.seen.begin(), variant.seen.end()) == variant.seen.end();
}

}  // namespace

const std::vector<Modality>& modalities()
{
    static const std::vector<Modality> all{
        {"sentinel2_l2a", "s2", "Sentinel-2, 12 bands", 12, {{0, 4}, {4, 6}, {10, 2}}},
        {"sentinel1", "s1", "Sentinel-1, 2 bands", 2, {{0, 2}}},
        {"landsat", "landsat", "Landsat, 11 bands", 11, {{0, 1}, {1, 10}}},
    };
    return all;
}

std::int64_t Variant::bandsets() const
{
    std::int64_t count = 0;
    for (const std::size_t index : seen)
        count += static_cast<std::int64_t>(modalities()[index].bandsets.size());
    return count;
}

const std::vector<PublishedSize>& publishedSizes()
{
    static const std::vector<PublishedSize> sizes{{"nano", 128, 4, 8},     {"tiny", 192, 12, 3},
                                                  {"small", 384, 12, 6},   {"base", 768, 12, 12},
                                                  {"large", 1024, 24, 16}, {"giga", 1536, 40, 24}};
    return sizes;
}

const PublishedSize* findSize(std::int64_t width, std::int64_t depth)
{
    for (const PublishedSize& size : publishedSizes()) {
        if (size.width == width && size.depth == depth)
            return &size;
    }
    return nullptr;
}

Result<Variant> parseVariant(std::string_view text)
{
    Variant variant;
    const auto slash = text.find('/');
    if (!readSize(text.substr(0, slash), variant) ||
        (slash != std::string_view::npos && !readModalities(text.substr(slash + 1), variant)))
        return invalid(text);
    // Four encodings share the width, and that of space is of two axes with sines and cosines.
    if (variant.width % variant.heads != 0 || variant.width % 16 != 0)
        return Error{ErrorCode::InvalidArgument,
                     "an OlmoEarth encoder's width is a multiple of its heads and of 16, not " +
                         std::to_string(variant.width) + " with " + std::to_string(variant.heads) +
                         " heads"};
    return variant;
}

std::string toText(const Variant& variant)
{
    const PublishedSize* size = findSize(variant.width, variant.depth);
    std::string text = size != nullptr && size->heads == variant.heads
                           ? std::string(size->name)
                           : "w" + std::to_string(variant.width) + "_d" +
                                 std::to_string(variant.depth) + "_h" +
                                 std::to_string(variant.heads);
    if (variant.seen == std::vector<std::size_t>{0})
        return text;
    char separator = '/';
    for (const std::size_t index : variant.seen) {
        text += separator + std::string(modalities()[index].shortName);
        separator = '+';
    }
    return text;
}

}  // namespace qs::core::olmoearth
