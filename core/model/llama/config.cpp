#include "core/model/llama/config.h"

#include "core/base/format.h"
#include "core/base/text_parts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

namespace qs::core::llama {

namespace {

constexpr std::int64_t kMostWidth = std::int64_t{1} << 24U;
constexpr std::int64_t kMostLayers = 4096;

Error refuse(std::string_view text, const std::string& why)
{
    return {ErrorCode::InvalidArgument,
            "\"" + std::string(text.substr(0, 80)) + "\" is no Llama model: " + why};
}

template <typename Number>
std::optional<Number> numberIn(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<RopeStretch> stretchIn(std::string_view text)
{
    std::array<double, 4> values{};
    const std::vector<std::string> parts = splitAt(text, 'x');
    if (parts.size() != values.size())
        return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = numberIn<double>(parts[i]);
        if (!value || !(*value > 0.0))
            return std::nullopt;
        values[i] = *value;
    }
    return RopeStretch{values[0], values[1], values[2], values[3]};
}

// Takes the word apart; false if it says nothing that is known.
bool takeWord(std::string_view word, Config& config)
{
    if (word == "tied" || word == "pairs" || word == "bias") {
        (word == "tied"    ? config.tied
         : word == "pairs" ? config.pairs
                           : config.projectionBias) = true;
        return true;
    }
    const auto real = [&](std::string_view name, double& place) {
        const auto value =
            word.starts_with(name) ? numberIn<double>(word.substr(name.size())) : std::nullopt;
        place = value.value_or(place);
        return value.has_value();
    };
    if (real("eps", config.epsilon) || real("theta", config.theta))
        return true;
    if (word.starts_with("stretch")) {
        config.stretch = stretchIn(word.substr(7));
        return config.stretch.has_value();
    }
    const std::array<std::pair<char, std::int64_t*>, 8> letters{{{'w', &config.hidden},
                                                                 {'d', &config.layers},
                                                                 {'h', &config.heads},
                                                                 {'k', &config.keyHeads},
                                                                 {'x', &config.headWidth},
                                                                 {'f', &config.feedForward},
                                                                 {'v', &config.vocabulary},
                                                                 {'c', &config.context}}};
    for (const auto& [letter, place] : letters) {
        const auto value = !word.empty() && word.front() == letter
                               ? numberIn<std::int64_t>(word.substr(1))
                               : std::nullopt;
        if (value) {
            *place = *value;
            return true;
        }
    }
    return false;
}

// The wave lengths between the two limits are stretched the more the longer they are.
double stretched(double frequency, const RopeStretch& stretch)
{
    const double length = 2.0 * std::numbers::pi / frequency;
    if (length < stretch.originalContext / stretch.highFrequencyFactor)
        return frequency;
    if (length > stretch.originalContext / stretch.lowFrequencyFactor)
        return frequency / stretch.factor;
    const double smooth = (stretch.originalContext / length - stretch.lowFrequencyFactor) /
                          (stretch.highFrequencyFactor - stretch.lowFrequencyFactor);
    return (1.0 - smooth) * frequency / stretch.factor + smooth * frequency;
}

}  // namespace

Status check(const Config& config)
{
    const auto refused = [](const std::string& why) {
        return Error{ErrorCode::InvalidArgument, why};
    };
    for (const std::int64_t width : {config.hidden, config.heads, config.keyHeads, config.headWidth,
                                     config.feedForward, config.vocabulary, config.context}) {
        if (width < 1 || width > kMostWidth)
            return refused("a width, number of heads, vocabulary or context of " +
                           std::to_string(width) + " makes no model");
    }
    if (config.layers < 1 || config.layers > kMostLayers)
        return refused(std::to_string(config.layers) + " layers make no model");
    if (config.heads % config.keyHeads != 0)
        return refused(std::to_string(config.heads) + " heads cannot share " +
                       std::to_string(config.keyHeads) + " key heads");
    if (config.headWidth % 2 != 0)
        return refused("the rotary embedding needs an even head width, not " +
                       std::to_string(config.headWidth));
    if (!(config.epsilon > 0.0) || !(config.theta > 0.0) || !std::isfinite(config.theta))
        return refused("epsilon and theta must be positive");
    if (config.stretch && config.stretch->highFrequencyFactor <= config.stretch->lowFrequencyFactor)
        return refused("the limits of the rotary stretch are in the wrong order");
    return {};
}

Result<Config> parseConfig(std::string_view text)
{
    Config config;
    for (const std::string& word : splitAt(text, '_')) {
        if (!takeWord(word, config))
            return refuse(text, "\"" + word.substr(0, 40) +
                                    "\" is unknown; write w256_d4_h8_k2_f688_v1024");
    }
    if (config.keyHeads == 0)
        config.keyHeads = config.heads;
    if (config.headWidth == 0 && config.heads > 0 && config.hidden % config.heads == 0)
        config.headWidth = config.hidden / config.heads;
    if (const Status possible = check(config); !possible.ok())
        return refuse(text, possible.error().message);
    return config;
}

std::string toText(const Config& config)
{
    const Config usual;
    std::string text = "w" + std::to_string(config.hidden) + "_d" + std::to_string(config.layers) +
                       "_h" + std::to_string(config.heads);
    const auto add = [&](bool differs, const std::string& word) {
        text += differs ? "_" + word : "";
    };
    add(config.keyHeads != config.heads, "k" + std::to_string(config.keyHeads));
    add(config.headWidth * config.heads != config.hidden, "x" + std::to_string(config.headWidth));
    add(true, "f" + std::to_string(config.feedForward));
    add(true, "v" + std::to_string(config.vocabulary));
    add(config.context != usual.context, "c" + std::to_string(config.context));
    add(config.epsilon != usual.epsilon, "eps" + formatExact(config.epsilon));
    add(config.theta != usual.theta, "theta" + formatExact(config.theta));
    if (const auto& stretch = config.stretch)
        add(true, "stretch" + formatExact(stretch->factor) + "x" +
                      formatExact(stretch->lowFrequencyFactor) + "x" +
                      formatExact(stretch->highFrequencyFactor) + "x" +
                      formatExact(stretch->originalContext));
    add(config.tied, "tied");
    add(config.pairs, "pairs");
    add(config.projectionBias, "bias");
    return text;
}

const std::vector<PublishedModel>& publishedModels()
{
    static const std::vector<PublishedModel> models{
        {"tiny", "w64_d2_h4_k2_f176_v512_c512"},
        {"tinyllama-1.1b", "w2048_d22_h32_k4_f5632_v32000"},
        {"qwen2.5-3b", "w2048_d36_h16_k2_f11008_v151936_c32768_eps1e-06_theta1000000_tied_bias"},
        {"llama-3.2-1b", "w2048_d16_h32_k8_f8192_v128256_c131072_theta500000_"
                         "stretch32x1x4x8192_tied"},
    };
    return models;
}

const PublishedModel* findPublished(std::string_view name)
{
    const auto& models = publishedModels();
    const auto found = std::find_if(models.begin(), models.end(), [&](const PublishedModel& model) {
        return model.name == name;
    });
    return found == models.end() ? nullptr : &*found;
}

std::vector<double> inverseFrequencies(const Config& config)
{
    std::vector<double> frequencies;
    for (std::int64_t k = 0; k < config.headWidth; k += 2) {
        const float exponent = static_cast<float>(k) / static_cast<float>(config.headWidth);
        const auto frequency =
            static_cast<double>(1.0F / std::pow(static_cast<float>(config.theta), exponent));
        const double turned = config.stretch ? stretched(frequency, *config.stretch) : frequency;
        frequencies.push_back(static_cast<double>(static_cast<float>(turned)));
    }
    return frequencies;
}

}  // namespace qs::core::llama
