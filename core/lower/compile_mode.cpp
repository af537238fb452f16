#include "core/lower/compile_mode.h"

#include "core/base/text_parts.h"
#include "core/lower/built_in_compile_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

// Whether the mode has this parameter, and it is this word.
bool says(const CompileMode& mode, std::string_view parameter, std::string_view word)
{
    const auto& all = mode->parameters;
    return std::any_of(all.begin(), all.end(),
                       [&](const Parameter& each) { return each.name == parameter; }) &&
           mode.word(parameter) == word;
}

}  // namespace

std::vector<RegionKind> regionsOf(const CompileMode& mode)
{
    std::vector<RegionKind> kinds;
    if (!mode->regional || mode.word(kRegionsParameter).empty())
        return kinds;
    for (const std::string& word : splitAt(mode.word(kRegionsParameter), '+'))
        kinds.push_back(*kRegionKinds.find(word));
    return kinds;
}

std::vector<LayerPattern> regionModulesOf(const CompileMode& mode)
{
    if (!mode->regional || mode.word(kModulesParameter).empty())
        return {};
    return modulesFrom(mode.word(kModulesParameter)).value();
}

std::string regionsAt(const std::vector<std::string>& patterns)
{
    std::string text;
    for (const std::string& each : patterns)
        text += (text.empty() ? "" : "+") + each;
    return fmt::format("regions:{}={}", kModulesParameter, text);
}

bool hasFreeBatch(const CompileMode& mode)
{
    return says(mode, kShapesParameter, kDynamic);
}

bool compilesBlocksOnce(const CompileMode& mode)
{
    return says(mode, kBlocksParameter, kOnce) && !hasFreeBatch(mode);
}

bool cutsBetweenBlocks(const CompileMode& mode)
{
    return says(mode, kBlocksParameter, kCut);
}

bool multipliesPlainly(const CompileMode& mode)
{
    return says(mode, kUnitsParameter, kPlain);
}

bool recordsWholePass(const CompileMode& mode)
{
    return says(mode, kGraphParameter, kPass);
}

std::string packageModeOf(const CompileMode& mode, std::optional<RegionKind> kind)
{
    if (!mode->regional)
        return mode->packageMode;
    const std::vector<std::string> tuned = splitAt(mode.word(kAutotuneParameter), '+');
    const std::string_view word = kind ? kRegionKinds.of(*kind) : kModulesParameter;
    const bool found = std::find(tuned.begin(), tuned.end(), word) != tuned.end();
    return found ? "max-autotune" : mode->packageMode;
}

std::string besideRegions(const CompileMode& mode)
{
    std::string text;
    for (const std::string_view name : {kModulesParameter, kAutotuneParameter}) {
        if (mode->regional && !mode.word(name).empty())
            text += fmt::format(":{}={}", name, mode.word(name));
    }
    return text;
}

std::string compilerOf(const CompileMode& mode)
{
    if (mode->ownKernels)
        return mode->name + (multipliesPlainly(mode) ? ":plain" : "");
    if (mode->packageMode.empty())
        return {};
    if (!mode->regional)
        return mode->packageMode + (compilesBlocksOnce(mode) ? ":once" : "") +
               (cutsBetweenBlocks(mode) ? ":cut" : "") + (hasFreeBatch(mode) ? ":dynamic" : "");
    return mode->packageMode + ":" + mode.word(kRegionsParameter) + besideRegions(mode);
}

Registry<CompileModeSpec>& compileModeRegistry()
{
    static Registry<CompileModeSpec> registry("compile mode", builtInCompileModes());
    return registry;
}

std::vector<CompileMode> offeredCompileModes()
{
    std::vector<CompileMode> offered;
    for (const CompileModeSpec& spec : compileModeRegistry().specs()) {
        if (!spec.ofPrograms)
            offered.emplace_back(spec);
    }
    return offered;
}

const CompileMode& eagerMode()
{
    static const CompileMode mode(compileModeRegistry().specs().front());
    return mode;
}

Result<CompileMode> parseCompileMode(std::string_view text)
{
    for (const CompileModeSpec& spec : compileModeRegistry().specs()) {
        if (std::find(spec.aliases.begin(), spec.aliases.end(), text) != spec.aliases.end())
            return CompileMode(spec);
    }
    return compileModeRegistry().parse(text);
}

Result<std::vector<CompileMode>> parseCompileModes(std::string_view text, std::size_t stages)
{
    const std::vector<std::string> parts = splitAt(text, '/');
    if (parts.size() != 1 && parts.size() != stages)
        return Error{ErrorCode::InvalidArgument,
                     "compile mode names " + std::to_string(parts.size()) +
                         " stages, but the model has " + std::to_string(stages)};
    std::vector<CompileMode> modes;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        QS_TRY(CompileMode mode, parseCompileMode(parts[parts.size() == 1 ? 0 : stage]));
        modes.push_back(std::move(mode));
    }
    const auto whole = std::count_if(modes.begin(), modes.end(), recordsWholePass);
    if (whole > 0 && static_cast<std::size_t>(whole) < modes.size())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{}={} records all stages as one: every stage has to say it",
                                 kGraphParameter, kPass)};
    return modes;
}

bool computesAsEager(std::string_view text)
{
    const std::vector<std::string> parts = splitAt(text, '/');
    return std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
        const auto mode = parseCompileMode(part);
        return mode.ok() && mode.value()->sameMathematics;
    });
}

std::string normalCompileText(std::string_view text)
{
    std::vector<std::string> parts = splitAt(text, '/');
    for (std::string& part : parts) {
        if (const auto mode = parseCompileMode(part); mode.ok())
            part = mode.value().text();
    }
    return joinedWithoutRepeats(parts, '/');
}

std::string withRegions(const CompileMode& mode, const std::vector<RegionKind>& kinds)
{
    if (kinds.empty() && mode.word(kModulesParameter).empty())
        return mode->recorded ? "cuda-graph" : "none";
    std::string words;
    for (const RegionKind kind : kinds)
        words += (words.empty() ? ":" : "+") + std::string(kRegionKinds.of(kind));
    return normalCompileText(mode->name + words + besideRegions(mode));
}

Result<std::vector<std::string>> expandCompileText(std::string_view text)
{
    constexpr std::string_view kSubsets = ":subsets=";
    const auto begin = text.find(kSubsets);
    if (begin == text.npos)
        return std::vector<std::string>{std::string(text)};
    const std::string all =
        fmt::format("{}:{}", text.substr(0, begin), text.substr(begin + kSubsets.size()));
    QS_TRY(const CompileMode whole, parseCompileMode(all));
    const std::vector<RegionKind> kinds = regionsOf(whole);
    std::vector<std::vector<RegionKind>> subsets;
    for (unsigned chosen = 1; chosen < 1U << kinds.size(); ++chosen) {
        subsets.emplace_back();
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            if ((chosen >> i & 1U) != 0)
                subsets.back().push_back(kinds[i]);
        }
    }
    std::stable_sort(subsets.begin(), subsets.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
    std::vector<std::string> texts;
    for (const std::vector<RegionKind>& subset : subsets)
        texts.push_back(withRegions(whole, subset));
    return texts;
}

}  // namespace qs::core
