#include "core/sweep/worker_variables.h"

#include "core/base/text_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace qs::core {

namespace {

constexpr std::size_t kLongestValue = 200;  // bytes

using Variables = std::map<std::string, std::string>;

std::string notAllowed(std::string_view name)
{
    return fmt::format("\"{}\" is not a variable that a preset may set; those are {}",
                       name.substr(0, 60), fmt::join(allowedVariables(), ", "));
}

bool isAllowed(std::string_view name)
{
    const auto& allowed = allowedVariables();
    return std::find(allowed.begin(), allowed.end(), name) != allowed.end();
}

// Why a variable cannot have this value; empty if it can.
std::string objectionTo(std::string_view value)
{
    const auto isPlain = [](char letter) { return letter > ' ' && letter < '\x7f'; };
    if (!value.empty() && value.size() <= kLongestValue &&
        std::all_of(value.begin(), value.end(), isPlain))
        return {};
    return fmt::format("expected 1 to {} ASCII characters without spaces", kLongestValue);
}

std::string textOf(const Variables& variables)
{
    std::string text;
    for (const auto& [name, value] : variables)
        text += (text.empty() ? "" : " ") + name + "=" + value;
    return text.empty() ? std::string(kNoVariables) : text;
}

}  // namespace

const std::vector<std::string>& allowedVariables()
{
    static const std::vector<std::string> names{
        "CUBLASLT_WORKSPACE_SIZE", "CUBLAS_WORKSPACE_CONFIG", "CUDA_DEVICE_MAX_CONNECTIONS",
        "CUDA_MODULE_LOADING",     "NVIDIA_TF32_OVERRIDE",    "OMP_NUM_THREADS",
        "PYTORCH_ALLOC_CONF",      "PYTORCH_CUDA_ALLOC_CONF",
    };
    return names;
}

Result<std::string> normalVariables(std::string_view text)
{
    const auto refuse = [](std::string why) {
        return Error{ErrorCode::InvalidArgument, std::move(why)};
    };
    Variables variables;
    for (const std::string& part : splitAt(trimmed(text), ' ')) {
        if (part.empty() || part == kNoVariables)
            continue;
        const std::size_t sign = part.find('=');
        const std::string name = part.substr(0, sign);
        if (!isAllowed(name))
            return refuse(notAllowed(name));
        const std::string value = sign == std::string::npos ? "" : part.substr(sign + 1);
        if (const std::string why = objectionTo(value); !why.empty())
            return refuse(name + ": " + why);
        if (!variables.emplace(name, value).second)
            return refuse(name + " is set twice");
    }
    return textOf(variables);
}

std::optional<std::string> variablesFromJson(const JsonView& json, const std::string& path,
                                             std::vector<JsonIssue>& issues)
{
    const std::size_t issuesBefore = issues.size();
    const auto complain = [&](const std::string& place, std::string why) {
        issues.push_back({place, std::move(why)});
    };
    Variables variables;
    if (const auto text = json.text()) {
        Result<std::string> value = normalVariables(*text);
        if (value.ok())
            return std::move(value).value();
        complain(path, value.error().message);
    } else if (json.isObject()) {
        json.forEachMember([&](std::string_view name, const JsonView& member) {
            const std::string place = path + "." + std::string(name.substr(0, 60));
            const auto value = member.text();
            if (!isAllowed(name))
                complain(place, notAllowed(name));
            else if (!value)
                complain(place, std::string("expected a string, found ") + member.typeName());
            else if (const std::string why = objectionTo(*value); !why.empty())
                complain(place, why);
            else
                variables.emplace(name, *value);
        });
    } else {
        complain(path, std::string("expected an object of variables, found ") + json.typeName());
    }
    if (issues.size() != issuesBefore)
        return std::nullopt;
    return textOf(variables);
}

std::vector<std::string> variablesIn(std::string_view text)
{
    return text == kNoVariables ? std::vector<std::string>() : splitAt(text, ' ');
}

}  // namespace qs::core
