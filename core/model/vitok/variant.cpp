#include "core/model/vitok/variant.h"

#include "core/base/excerpt.h"
#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace qs::core::vitok {

namespace {

struct BaseSide {
    char letter;
    Side side;
};
constexpr std::array<BaseSide, 5> kBases{{{'B', {768, 12, 12}},
                                          {'L', {1024, 24, 16}},
                                          {'G', {1728, 32, 24}},
                                          {'T', {3072, 40, 24}},
                                          {'E', {4096, 48, 32}}}};
constexpr double kDefaultMlpFactor = 2.67;
// Far beyond every published model; keeps hostile names from overflowing sizes.
constexpr std::int64_t kLargestExtent = 65536;

Error refuse(std::string_view text, const std::string& why)
{
    return {ErrorCode::InvalidArgument,
            "ViTok variant \"" + excerpt(text) + "\": " + withShortQuotes(why)};
}

struct ParsedSide {
    Side side;
    double mlpFactor = kDefaultMlpFactor;
};

// Reads one "w256" style override from the front of `rest`.
std::optional<Error> readOverride(std::string_view& rest, std::string_view text, ParsedSide& parsed)
{
    const char key = rest.front();
    rest.remove_prefix(1);
    const char* end = rest.data() + rest.size();
    if (key == 'm') {
        const auto [next, error] =
            std::from_chars(rest.data(), end, parsed.mlpFactor, std::chars_format::fixed);
        if (error != std::errc() || !(parsed.mlpFactor > 0.0) || parsed.mlpFactor > 64.0)
            return refuse(text, "the MLP factor after 'm' must be a number between 0 and 64");
        rest.remove_prefix(static_cast<std::size_t>(next - rest.data()));
        return std::nullopt;
    }
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(rest.data(), end, value);
    if (error != std::errc() || value < 1 || value > kLargestExtent)
        return refuse(text, std::string("'") + key + "' must be followed by a number from 1 to " +
                                std::to_string(kLargestExtent));
    rest.remove_prefix(static_cast<std::size_t>(next - rest.data()));
    if (key == 'w')
        parsed.side.width = value;
    else if (key == 'd')
        parsed.side.depth = value;
    else
        parsed.side.heads = value;
    return std::nullopt;
}

Result<ParsedSide> parseSide(std::string_view side, std::string_view text)
{
    ParsedSide parsed;
    std::string_view rest = side;
    for (const BaseSide& base : kBases) {
        if (!rest.empty() && rest.front() == base.letter) {
            parsed.side = base.side;
            rest.remove_prefix(1);
            break;
        }
    }
    std::string seen;
    while (!rest.empty()) {
        if (rest.front() == '_') {
            rest.remove_prefix(1);
            continue;
        }
        if (std::string_view("wdhm").find(rest.front()) == std::string_view::npos)
            return refuse(text, "\"" + std::string(side) +
                                    "\" is not a valid stage: expected a base letter B L G T E "
                                    "with w d h m overrides (Ld4), or w256_d2_h4");
        if (seen.find(rest.front()) != std::string::npos)
            return refuse(text, "\"" + std::string(side) + "\" says '" + rest.front() + "' twice");
        seen += rest.front();
        if (auto error = readOverride(rest, text, parsed))
            return *error;
    }
    const Side& result = parsed.side;
    if (result.width == 0 || result.depth == 0 || result.heads == 0)
        return refuse(text, "\"" + std::string(side) + "\" lacks width, depth or heads");
    if (result.width % result.heads != 0)
        return refuse(text, "width " + std::to_string(result.width) + " is not a multiple of " +
                                std::to_string(result.heads) + " heads");
    if (result.headWidth() % 4 != 0)
        return refuse(text, "head width " + std::to_string(result.headWidth()) +
                                " is not a multiple of 4, as the rotary embedding of rows and "
                                "columns needs");
    return parsed;
}

std::optional<std::vector<std::int64_t>> parseNumbers(std::string_view text)
{
    std::vector<std::int64_t> numbers;
    while (true) {
        std::int64_t value = 0;
        const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || value < 1 || value > 4096)
            return std::nullopt;
        numbers.push_back(value);
        text.remove_prefix(static_cast<std::size_t>(next - text.data()));
        if (text.empty())
            return numbers;
        if (text.front() != 'x')
            return std::nullopt;
        text.remove_prefix(1);
    }
}

std::string sideText(const Side& side, const std::string& factor)
{
    return "w" + std::to_string(side.width) + "_d" + std::to_string(side.depth) + "_h" +
           std::to_string(side.heads) + factor;
}

// "_m3", the shortest factor that gives both sides their hidden widths, or nothing if it is the
// default. Both sides carry it, because the larger factor of the two rules both.
std::string factorText(const Variant& variant)
{
    const auto explains = [&](double factor) {
        return swigluHidden(variant.encoder.width, factor) == variant.encoderHidden &&
               swigluHidden(variant.decoder.width, factor) == variant.decoderHidden;
    };
    if (explains(kDefaultMlpFactor))
        return "";
    for (double unit = 1.0; unit <= 1e9; unit *= 10.0) {
        // The lowest factor that rounds up to the hidden width, on both sides.
        const double lowest = std::max(static_cast<double>(variant.encoderHidden - 8) /
                                           static_cast<double>(variant.encoder.width),
                                       static_cast<double>(variant.decoderHidden - 8) /
                                           static_cast<double>(variant.decoder.width));
        const double factor = std::ceil(lowest * unit) / unit;
        if (explains(factor))
            return "_m" + formatExact(factor);
    }
    // No factor explains both: such a pair comes from weight files, never from parseVariant.
    return "_f" + std::to_string(variant.encoderHidden) + "x" +
           std::to_string(variant.decoderHidden);
}

}  // namespace

std::int64_t swigluHidden(std::int64_t width, double factor)
{
    const auto exact = static_cast<std::int64_t>(factor * static_cast<double>(width));
    return (exact + 8) / 16 * 16;
}

Result<Variant> parseVariant(std::string_view text)
{
    const auto slash = text.find('/');
    if (slash == std::string_view::npos)
        return refuse(text,
                      "expected {encoder}-{decoder}/{patch}x{channels}, e.g. Ld4-Ld24/1x16x64");
    const std::string_view sides = text.substr(0, slash);
    const auto dash = sides.find('-');
    const std::string_view first = sides.substr(0, dash);
    const std::string_view second = dash == std::string_view::npos ? first : sides.substr(dash + 1);
    QS_TRY(const ParsedSide encoder, parseSide(first, text));
    QS_TRY(const ParsedSide decoder, parseSide(second, text));
    const auto numbers = parseNumbers(text.substr(slash + 1));
    if (!numbers || numbers->size() < 2 || numbers->size() > 3)
        return refuse(
            text, "expected {temporal}x{patch}x{channels} or {patch}x{channels} after the slash");
    if (numbers->size() == 3 && numbers->front() != 1)
        return refuse(text, "a temporal patch of " + std::to_string(numbers->front()) +
                                " is for video; images have 1");
    const double factor = std::max(encoder.mlpFactor, decoder.mlpFactor);
    Variant variant{encoder.side, decoder.side, (*numbers)[numbers->size() - 2], numbers->back()};
    variant.encoderHidden = swigluHidden(variant.encoder.width, factor);
    variant.decoderHidden = swigluHidden(variant.decoder.width, factor);
    if (variant.encoderHidden < 16 || variant.decoderHidden < 16)
        return refuse(text, "the MLP would have width 0; increase the factor m");
    return variant;
}

std::string toText(const Variant& variant)
{
    const std::string factor = factorText(variant);
    return sideText(variant.encoder, factor) + "-" + sideText(variant.decoder, factor) + "/1x" +
           std::to_string(variant.patch) + "x" + std::to_string(variant.channels);
}

const std::vector<PublishedModel>& publishedModels()
{
    static const std::vector<PublishedModel> models{
        {"350M-f16x16", "Ld4-Ld24/1x16x16", "350M-16"},
        {"350M-f16x32", "Ld4-Ld24/1x16x32", "350M-32"},
        {"350M-f16x64", "Ld4-Ld24/1x16x64", "350M-64"},
        {"5B-f16x16", "Td4-T/1x16x16", ""},
        {"5B-f16x32", "Td4-T/1x16x32", ""},
        {"5B-f16x64", "Td4-T/1x16x64", ""},
        {"5B-f32x64", "Td4-T/1x32x64", "5B-64"},
        {"5B-f32x128", "Td4-T/1x32x128", "5B-128"},
        {"5B-f32x256", "Td4-T/1x32x256", "5B-256"},
    };
    return models;
}

const PublishedModel* findPublished(std::string_view name)
{
    const auto& models = publishedModels();
    const auto found = std::find_if(models.begin(), models.end(), [&](const PublishedModel& model) {
        return model.name == name || (!model.oldName.empty() && model.oldName == name);
    });
    return found == models.end() ? nullptr : &*found;
}

}  // namespace qs::core::vitok
