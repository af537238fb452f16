#include "core/sweep/olmoearth/run_name.h"

#include "core/base/excerpt.h"
#include "core/base/text_parts.h"
#include "core/lower/compile_mode.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdint>
#include <optional>

namespace qs::core::olmoearth {

namespace {

// "is64" -> 64
std::optional<std::int64_t> numberOf(std::string_view part, std::string_view start)
{
    if (!part.starts_with(start))
        return std::nullopt;
    std::int64_t number = 0;
    const char* const end = part.data() + part.size();
    const auto [stop, error] = std::from_chars(part.data() + start.size(), end, number);
    return error == std::errc() && stop == end && number >= 0 ? std::optional(number)
                                                              : std::nullopt;
}

// What is logged has sweep keys and six letters behind the batch: "…_bs128-batch-1a2b3c".
std::string_view withoutEnd(std::string_view name)
{
    const std::size_t batch = name.rfind("_bs");
    const std::size_t dash = batch == std::string_view::npos ? batch : name.find('-', batch);
    return name.substr(0, dash);
}

// Reads the parts of a name one after the other.
class NameParts final
{
public:
    explicit NameParts(std::string_view name) : m_parts(splitAt(name, '_')) {}

    // The next part, and beyond it; empty at the end.
    std::string take() { return m_next < m_parts.size() ? m_parts[m_next++] : std::string(); }
    bool skip(std::string_view word)
    {
        const bool found = m_next < m_parts.size() && m_parts[m_next] == word;
        m_next += found ? 1 : 0;
        return found;
    }
    bool number(std::string_view start, std::int64_t& value)
    {
        const auto found =
            m_next < m_parts.size() ? numberOf(m_parts[m_next], start) : std::nullopt;
        if (!found)
            return false;
        value = *found;
        ++m_next;
        return true;
    }
    [[nodiscard]] bool atEnd() const { return m_next == m_parts.size(); }

private:
    std::vector<std::string> m_parts;
    std::size_t m_next = 0;
};

bool readName(NameParts& parts, RunParams& params)
{
    params.modelSize = parts.take();
    params.gpuType = parts.take();
    params.bf16 = parts.skip("bf16");
    params.int8 = parts.skip("int8");
    if (params.int8)
        params.int8Mode = parts.take();
    params.smoothQuant = parts.skip("smoothq");
    if (params.int8)
        params.compileMode = parts.take();
    params.useS1 = parts.skip("s1");
    params.useS2 = parts.skip("s2");
    params.useLandsat = parts.skip("ls");
    return parts.number("is", params.imageSize) && parts.number("ps", params.patchSize) &&
           parts.number("ts", params.timesteps) && parts.number("bs", params.batchSize) &&
           parts.atEnd();
}

// What compileOf() knows, with torch.compile's modes as it calls them.
std::string compileWords()
{
    constexpr std::string_view kInductor = "inductor-";
    std::string words;
    for (const CompileMode& mode : offeredCompileModes()) {
        const std::string text = mode.text();
        words += (words.empty() ? "" : ", ") +
                 (text.starts_with(kInductor) ? text.substr(kInductor.size()) : text);
    }
    return words;
}

// What a name tells is checked as the members of a file are.
void checkValues(const RunParams& run, std::vector<JsonIssue>& issues)
{
    RunParams checked;
    const auto check = [&](const std::string& param, const Json& value) {
        setRunParam(checked, param, value, param, issues);
    };
    check("model_size", run.modelSize);
    check("image_size", run.imageSize);
    check("patch_size", run.patchSize);
    check("num_timesteps", run.timesteps);
    check("batch_size", run.batchSize);
    if (!run.int8)
        return;
    check("int8_mode", run.int8Mode);
    if (compileOf(run).empty())
        issues.push_back({"compile_mode", "expected " + compileWords() + ", found \"" +
                                              excerpt(run.compileMode) + "\""});
}

}  // namespace

std::string runName(const RunParams& run)
{
    std::string name = run.modelSize + "_" + run.gpuType;
    const auto add = [&](bool there, const std::string& part) {
        name += there ? "_" + part : std::string();
    };
    add(run.bf16, "bf16");
    add(run.int8, "int8_" + run.int8Mode);
    add(run.smoothQuant, "smoothq");
    add(run.int8, run.compileMode);
    add(run.useS1, "s1");
    add(run.useS2, "s2");
    add(run.useLandsat, "ls");
    add(true, "is" + std::to_string(run.imageSize));
    add(true, "ps" + std::to_string(run.patchSize));
    add(true, "ts" + std::to_string(run.timesteps));
    add(true, "bs" + std::to_string(run.batchSize));
    return name;
}

Result<ParsedRunName> parseRunName(std::string_view name)
{
    ParsedRunName parsed;
    NameParts parts(withoutEnd(name));
    if (!readName(parts, parsed.params) || runName(parsed.params) != withoutEnd(name))
        return Error{ErrorCode::InvalidArgument,
                     "\"" + excerpt(std::string(name)) +
                         "\" is no run name of OlmoEarth's benchmark, such as "
                         "base_cuda_bf16_int8_w8a8_max-autotune_s2_is64_ps4_ts12_bs128"};
    std::vector<JsonIssue> issues;
    checkValues(parsed.params, issues);
    if (!issues.empty())
        return Error{ErrorCode::InvalidArgument, "\"" + excerpt(std::string(name)) +
                                                     "\" is no run name:\n" + formatIssues(issues)};
    parsed.untold = {"benchmark_interval_s", "min_batches_per_interval", "profiler_enabled",
                     "wandb_enabled", "compile_fullgraph"};
    if (!parsed.params.int8)
        parsed.untold.insert(parsed.untold.end(), {"int8_mode", "compile_mode"});
    return parsed;
}

}  // namespace qs::core::olmoearth
