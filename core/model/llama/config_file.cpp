#include "core/model/llama/config_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace qs::core::llama {

namespace {

constexpr std::array<std::string_view, 3> kModelTypes{"llama", "mistral", "qwen2"};
constexpr std::int64_t kWidestInFile = std::int64_t{1} << 24U;
constexpr std::size_t kMostShards = 4096;

std::string textOf(const Json& json, const char* name)
{
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A member that is null counts as absent, as Hugging Face writes them.
const Json* memberOf(const Json& json, const char* name)
{
    const auto found = json.find(name);
    return found == json.end() || found->is_null() ? nullptr : &*found;
}

// Reads numbers; keeps the names of those that are missing or make no sense.
class ConfigReader final
{
public:
    explicit ConfigReader(const Json& json) : m_json(json) {}

    std::int64_t whole(const char* name, std::int64_t fallback = -1)
    {
        const Json* member = memberOf(m_json, name);
        if (member == nullptr && fallback >= 0)
            return fallback;
        if (member != nullptr && member->is_number_integer() && member->get<std::int64_t>() > 0 &&
            member->get<std::int64_t>() <= kWidestInFile)
            return member->get<std::int64_t>();
        m_wrong.emplace_back(name);
        return 1;
    }

    double real(const Json& json, const char* name, double fallback)
    {
        const Json* member = memberOf(json, name);
        if (member == nullptr)
            return fallback;
        if (member->is_number() && member->get<double>() > 0.0)
            return member->get<double>();
        m_wrong.emplace_back(name);
        return fallback;
    }

    bool flag(const char* name, bool fallback)
    {
        const Json* member = memberOf(m_json, name);
        if (member != nullptr && !member->is_boolean())
            m_wrong.emplace_back(name);
        return member != nullptr && member->is_boolean() ? member->get<bool>() : fallback;
    }

    [[nodiscard]] const std::vector<std::string>& wrong() const { return m_wrong; }

private:
    const Json& m_json;
    std::vector<std::string> m_wrong;
};

// The object that says how the rotary embedding is scaled, in the old or the new form; empty if
// there is none.
Json ropeOf(const Json& json)
{
    for (const char* name : {"rope_parameters", "rope_scaling"}) {
        const Json* rope = memberOf(json, name);
        if (rope != nullptr && rope->is_object())
            return *rope;
    }
    return Json::object();
}

std::string ropeType(const Json& rope)
{
    const std::string type = textOf(rope, "rope_type");
    return type.empty() ? textOf(rope, "type") : type;
}

// What is refused, in words; empty if the mathematics are known.
std::string strangeness(const Json& json)
{
    const std::string activation = textOf(json, "hidden_act");
    if (!activation.empty() && activation != "silu")
        return "the activation " + activation + " is not known here; silu is";
    const std::string type = ropeType(ropeOf(json));
    if (!type.empty() && type != "default" && type != "llama3")
        return "the rotary embedding of type " + type + " is not known here";
    if (const Json* bias = memberOf(json, "mlp_bias"); bias != nullptr && *bias == true)
        return "a bias in the feed-forward layers is not known here";
    if (const Json* bias = memberOf(json, "attention_bias"); bias != nullptr && *bias == true)
        return "a bias in all four attention layers is not known here";
    if (memberOf(json, "quantization_config") != nullptr)
        return "its weights are quantized already";
    return {};
}

}  // namespace

bool isConfigOfFamily(const Json& json)
{
    if (!json.is_object())
        return false;
    const std::string type = textOf(json, "model_type");
    return std::find(kModelTypes.begin(), kModelTypes.end(), type) != kModelTypes.end();
}

Result<Config> configFromJson(const Json& json, const std::string& source)
{
    const auto refuse = [&](const std::string& why) {
        return Error{ErrorCode::Format, source + ": " + why};
    };
    if (!isConfigOfFamily(json))
        return refuse("this is no configuration of a llama, mistral or qwen2 model");
    if (const std::string strange = strangeness(json); !strange.empty())
        return Error{ErrorCode::Unsupported, source + ": " + strange};
    ConfigReader reader(json);
    const Json rope = ropeOf(json);
    Config config;
    config.hidden = reader.whole("hidden_size");
    config.layers = reader.whole("num_hidden_layers");
    config.heads = reader.whole("num_attention_heads");
    config.keyHeads = reader.whole("num_key_value_heads", config.heads);
    config.headWidth =
        reader.whole("head_dim", std::max<std::int64_t>(1, config.hidden / config.heads));
    config.feedForward = reader.whole("intermediate_size");
    config.vocabulary = reader.whole("vocab_size");
    config.context = reader.whole("max_position_embeddings", 2048);
    config.epsilon = reader.real(json, "rms_norm_eps", 1e-6);
    config.theta = reader.real(rope, "rope_theta", reader.real(json, "rope_theta", 10000.0));
    config.tied = reader.flag("tie_word_embeddings", false);
    config.pairs = reader.flag("rope_interleave", false);
    config.projectionBias = textOf(json, "model_type") == "qwen2";
    if (ropeType(rope) == "llama3")
        config.stretch =
            RopeStretch{reader.real(rope, "factor", 8.0), reader.real(rope, "low_freq_factor", 1.0),
                        reader.real(rope, "high_freq_factor", 4.0),
                        reader.real(rope, "original_max_position_embeddings", 8192.0)};
    if (!reader.wrong().empty())
        return refuse(reader.wrong().front() + " is missing or makes no sense");
    if (const Status possible = check(config); !possible.ok())
        return refuse(possible.error().message);
    return config;
}

Result<std::vector<std::filesystem::path>> shardsFromIndex(const Json& json,
                                                           const std::filesystem::path& folder)
{
    const auto refuse = [&](const std::string& why) {
        return Error{ErrorCode::Format,
                     (folder / "model.safetensors.index.json").string() + ": " + why};
    };
    const Json* places = json.is_object() ? memberOf(json, "weight_map") : nullptr;
    if (places == nullptr || !places->is_object())
        return refuse("weight_map is missing");
    std::set<std::string> names;
    for (const auto& [tensor, file] : places->items()) {
        if (!file.is_string())
            return refuse("the file of " + tensor.substr(0, 80) + " is no text");
        const auto name = file.get<std::string>();
        const std::filesystem::path path(name);
        if (path.filename() != path || !path.has_filename() || name == "." || name == "..")
            return refuse("\"" + name.substr(0, 80) + "\" is no file beside it");
        names.insert(name);
    }
    if (names.empty() || names.size() > kMostShards)
        return refuse("it names no files, or thousands of them");
    std::vector<std::filesystem::path> files;
    for (const std::string& name : names)
        files.push_back(folder / name);
    return files;
}

}  // namespace qs::core::llama
