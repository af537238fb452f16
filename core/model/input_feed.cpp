#include "core/model/input_feed.h"

#include "core/base/excerpt.h"
#include "core/base/text_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace qs::core {

namespace {

constexpr std::string_view kImages = "images";
constexpr std::string_view kUniform = "uniform";
constexpr std::string_view kNormal = "normal";
constexpr std::string_view kFile = "file";
constexpr std::string_view kText = "text";
constexpr std::string_view kTokenizer = ":tokenizer=";
constexpr std::string_view kPad = ":pad=";
constexpr std::string_view kPieces = ":cut=pieces";
constexpr std::string_view kOwnLengths = ":length=own";
constexpr double kLargest = 1e9;  // of ranges, means and deviations
constexpr std::size_t kMostTextBytes = 4096;

Error invalid(const std::string& what)
{
    return {ErrorCode::InvalidArgument, what};
}

Result<double> numberOf(std::string_view text)
{
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
        std::abs(value) > kLargest)
        return invalid("\"" + excerpt(std::string(text)) + "\" is not a number up to 1e9");
    return value;
}

// "0..1"
Status readRange(std::string_view text, double& lowest, double& highest)
{
    const auto dots = text.find("..");
    if (dots == std::string_view::npos)
        return invalid("expected range=LOWEST..HIGHEST, found \"" + excerpt(std::string(text)) +
                       "\"");
    QS_TRY(lowest, numberOf(text.substr(0, dots)));
    QS_TRY(highest, numberOf(text.substr(dots + 2)));
    if (!(lowest <= highest))
        return invalid("the range " + excerpt(std::string(text)) + " ends before it begins");
    return {};
}

// One number for all channels, or three.
Status readChannels(std::string_view text, std::array<double, 3>& values)
{
    const std::vector<std::string> parts = splitAt(text, ',');
    if (parts.size() != 1 && parts.size() != values.size())
        return invalid("expected one number or three, found \"" + excerpt(std::string(text)) +
                       "\"");
    for (std::size_t i = 0; i < values.size(); ++i) {
        QS_TRY(values[i], numberOf(parts[parts.size() == 1 ? 0 : i]));
    }
    return {};
}

// One of two words.
Result<bool> isSecond(std::string_view text, std::string_view first, std::string_view second)
{
    if (text != first && text != second)
        return invalid(fmt::format("expected {} or {}, found \"{}\"", first, second,
                                   excerpt(std::string(text))));
    return text == second;
}

Status readImageOption(std::string_view name, std::string_view value, ImageFeed& feed)
{
    if (name == "range") {
        QS_RETURN_IF_ERROR(readRange(value, feed.black, feed.white));
        return feed.black < feed.white ? Status()
                                       : Status(invalid("a range of images has a width"));
    }
    if (name == "mean")
        return readChannels(value, feed.mean);
    if (name == "std") {
        QS_RETURN_IF_ERROR(readChannels(value, feed.deviation));
        for (const double deviation : feed.deviation) {
            if (!(deviation > 0.0))
                return invalid("a standard deviation must be above 0");
        }
        return {};
    }
    if (name == "channels") {
        QS_TRY(feed.blueFirst, isSecond(value, "rgb", "bgr"));
        return {};
    }
    if (name == "layout") {
        QS_TRY(feed.channelsLast, isSecond(value, "nchw", "nhwc"));
        return {};
    }
    return invalid("images have no option \"" + excerpt(std::string(name)) +
                   "\"; range, mean, std, channels and layout are known");
}

Status readRandomOption(std::string_view name, std::string_view value, RandomFeed& feed)
{
    const bool normal = feed.distribution == Distribution::Normal;
    if (name == "range" && !normal)
        return readRange(value, feed.lowest, feed.highest);
    if (name == "mean" && normal) {
        QS_TRY(feed.mean, numberOf(value));
        return {};
    }
    if (name == "std" && normal) {
        QS_TRY(feed.deviation, numberOf(value));
        return feed.deviation > 0.0 ? Status()
                                    : Status(invalid("a standard deviation must be above 0"));
    }
    return invalid(fmt::format("a {} distribution has no option \"{}\"; it has {}",
                               normal ? kNormal : kUniform, excerpt(std::string(name)),
                               normal ? "mean and std" : "range"));
}

// Each "name=value" behind the first colon.
template <typename Feed>
Result<InputFeed> readOptions(std::string_view text, Feed feed,
                              Status (*readOption)(std::string_view, std::string_view, Feed&))
{
    const std::vector<std::string> parts = splitAt(text, ':');
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto equals = parts[i].find('=');
        if (equals == std::string::npos)
            return invalid("expected name=value, found \"" + excerpt(parts[i]) + "\"");
        const std::string_view part = parts[i];
        QS_RETURN_IF_ERROR(readOption(part.substr(0, equals), part.substr(equals + 1), feed));
    }
    return InputFeed(feed);
}

// A '#' in the name of a .npy is a part of it.
Result<InputFeed> readFile(std::string_view text)
{
    constexpr std::string_view kArchive = ".safetensors#";
    FileFeed feed{std::string(text), {}};
    if (const auto at = text.rfind(kArchive); at != std::string_view::npos) {
        feed.path = text.substr(0, at + kArchive.size() - 1);
        feed.tensor = text.substr(at + kArchive.size());
    }
    if (feed.path.empty())
        return invalid("expected file:PATH");
    return InputFeed(feed);
}

Status readTextOption(std::string_view name, std::string_view value, TextFeed& feed)
{
    if (name == "tokenizer") {
        feed.tokenizer = value;
    } else if (name == "pad") {
        std::int64_t id = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), id);
        if (error != std::errc() || end != value.data() + value.size() || id < 0)
            return invalid("pad=ID takes a token id");
        feed.pad = id;
    } else if (name == "cut" && value == "pieces") {
        feed.pieces = true;
    } else if (name == "length" && value == "own") {
        feed.ownLengths = true;
    } else {
        return invalid(fmt::format("texts have no option \"{}={}\"; tokenizer=PATH, pad=ID, "
                                   "cut=pieces and length=own are known",
                                   excerpt(std::string(name)), excerpt(std::string(value))));
    }
    return {};
}

// Paths may have colons in them: an option begins at one that has a word and "=" behind it.
std::vector<std::pair<std::string, std::string>> textOptions(std::string_view text,
                                                             std::string& path)
{
    std::vector<std::pair<std::string, std::string>> options;
    std::vector<std::string> parts = splitAt(text, ':');
    path = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto equals = parts[i].find_first_not_of("abcdefghijklmnopqrstuvwxyz");
        if (equals != std::string::npos && parts[i][equals] == '=')
            options.emplace_back(parts[i].substr(0, equals), parts[i].substr(equals + 1));
        else
            (options.empty() ? path : options.back().second) += ":" + parts[i];
    }
    return options;
}

Result<InputFeed> readText(std::string_view text)
{
    TextFeed feed;
    std::set<std::string> known;
    for (const auto& [name, value] : textOptions(text, feed.path)) {
        if (!known.insert(name).second)
            return invalid("the option \"" + excerpt(name) + "\" stands twice");
        QS_RETURN_IF_ERROR(readTextOption(name, value, feed));
    }
    if ((feed.pieces || feed.ownLengths) && feed.pad)
        return invalid("cut=pieces and length=own fill nothing up: leave pad out");
    if (feed.pieces && feed.ownLengths)
        return invalid("pieces have no length of their own: leave length=own out");
    if (feed.path.empty() || feed.tokenizer.empty())
        return invalid("expected text:PATH:tokenizer=PATH, the tokenizer.json that belongs to the "
                       "model, or text:PATH:tokenizer=bytes");
    return InputFeed(feed);
}

std::string channelsText(const std::array<double, 3>& values)
{
    if (values[0] == values[1] && values[1] == values[2])
        return fmt::format("{}", values[0]);
    return fmt::format("{},{},{}", values[0], values[1], values[2]);
}

std::string textOf(const ImageFeed& feed)
{
    const ImageFeed usual;
    std::string text(kImages);
    if (feed.black != usual.black || feed.white != usual.white)
        text += fmt::format(":range={}..{}", feed.black, feed.white);
    if (feed.mean != usual.mean)
        text += ":mean=" + channelsText(feed.mean);
    if (feed.deviation != usual.deviation)
        text += ":std=" + channelsText(feed.deviation);
    return text + (feed.blueFirst ? ":channels=bgr" : "") +
           (feed.channelsLast ? ":layout=nhwc" : "");
}

std::string textOf(const RandomFeed& feed)
{
    if (feed.distribution == Distribution::Normal)
        return fmt::format("{}:mean={}:std={}", kNormal, feed.mean, feed.deviation);
    return fmt::format("{}:range={}..{}", kUniform, feed.lowest, feed.highest);
}

std::string textOf(const FileFeed& feed)
{
    return std::string(kFile) + ":" + feed.path + (feed.tensor.empty() ? "" : "#" + feed.tensor);
}

std::string textOf(const TextFeed& feed)
{
    std::string text(kText);
    text += ":" + feed.path;
    text += kTokenizer;
    text += feed.tokenizer;
    if (feed.pad)
        text += std::string(kPad) + std::to_string(*feed.pad);
    if (feed.pieces)
        text += kPieces;
    if (feed.ownLengths)
        text += kOwnLengths;
    return text;
}

}  // namespace

Result<InputFeed> parseInputFeed(std::string_view text)
{
    if (text.size() > kMostTextBytes)
        return invalid("more than 4096 letters for one input");
    const std::string_view kind = text.substr(0, text.find(':'));
    if (kind == kImages)
        return readOptions(text, ImageFeed(), readImageOption);
    if (kind == kUniform)
        return readOptions(text, RandomFeed(), readRandomOption);
    if (kind == kNormal)
        return readOptions(text, RandomFeed{.distribution = Distribution::Normal},
                           readRandomOption);
    if (kind == kFile)
        return readFile(text.substr(std::min(text.size(), kFile.size() + 1)));
    if (kind == kText)
        return readText(text.substr(std::min(text.size(), kText.size() + 1)));
    return invalid("\"" + excerpt(std::string(kind)) +
                   "\" feeds no input; images, uniform, normal, file:PATH and text:PATH do");
}

std::string inputFeedText(const InputFeed& feed)
{
    return std::visit([](const auto& each) { return textOf(each); }, feed);
}

bool ModelFeeding::empty() const
{
    static const ModelFeeding nothing;
    return *this == nothing;
}

std::optional<std::int64_t> padOf(const ModelFeeding& feeding)
{
    for (const auto& [input, feed] : feeding.inputs) {
        if (const auto* text = std::get_if<TextFeed>(&feed))
            return text->pad;
    }
    return std::nullopt;
}

std::string feedFileName(const ModelFeeding& feeding, const std::string& input)
{
    const auto found = feeding.inputs.find(input);
    QS_ASSERT(found != feeding.inputs.end());
    return "inputs/feed_" + std::to_string(std::distance(feeding.inputs.begin(), found)) + ".npy";
}

std::string feedTokenizerName(const ModelFeeding& feeding, const std::string& input)
{
    const std::string file = feedFileName(feeding, input);
    return file.substr(0, file.rfind('.')) + ".tokenizer.json";
}

std::vector<std::string> feedPaths(const InputFeed& feed)
{
    if (const auto* file = std::get_if<FileFeed>(&feed))
        return {file->path};
    if (const auto* text = std::get_if<TextFeed>(&feed)) {
        if (text->tokenizer == kByteTokenizer)
            return {text->path};
        return {text->path, text->tokenizer};
    }
    return {};
}

Status addInputFeed(ModelFeeding& feeding, std::string_view assignment)
{
    const auto equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return invalid("expected INPUT=FEED, such as x=images:range=0..1, found \"" +
                       excerpt(std::string(assignment)) + "\"");
    const std::string name(assignment.substr(0, equals));
    auto feed = parseInputFeed(assignment.substr(equals + 1));
    if (!feed.ok())
        return feed.error().within("input " + excerpt(name));
    feeding.inputs.insert_or_assign(name, std::move(feed).value());
    return {};
}

Status addStageCut(ModelFeeding& feeding, std::string_view assignment)
{
    const auto equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == assignment.size() ||
        assignment.substr(0, equals).find_first_of("/\\\"") != std::string_view::npos)
        return invalid("expected STAGE=MODULE, such as encoder=model.encoder, found \"" +
                       excerpt(std::string(assignment)) + "\"");
    feeding.stages.push_back(
        {std::string(assignment.substr(0, equals)), std::string(assignment.substr(equals + 1))});
    return {};
}

Status setJudgedOutput(ModelFeeding& feeding, std::string_view text)
{
    const auto colon = text.find(':');
    feeding.judged = text.substr(0, colon);
    if (colon == std::string_view::npos)
        return {};
    QS_TRY(feeding.outputKind,
           kOutputKinds.parse(text.substr(colon + 1), std::string("kind of output")));
    return {};
}

}  // namespace qs::core
