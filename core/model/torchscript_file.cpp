#include "core/model/torchscript_file.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"

#include <algorithm>
#include <string_view>

namespace qs::core {

namespace {

constexpr std::uint64_t kMostCodeBytes = std::uint64_t{4} << 20U;  // of one file
constexpr std::uint64_t kMostCodeFiles = 2000;
constexpr std::size_t kMostModules = 4096;
constexpr std::size_t kShownModules = 12;

// The part behind the folder that the archive is packed in: "code/__torch__.py".
std::string_view insideOf(std::string_view name)
{
    const auto slash = name.find('/');
    return slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1);
}

// "code/__torch__/net.py" -> "__torch__.net."
std::string prefixOf(std::string_view file)
{
    constexpr std::string_view kCode = "code/";
    constexpr std::string_view kEnding = ".py";
    std::string prefix(file.substr(kCode.size(), file.size() - kCode.size() - kEnding.size()));
    std::replace(prefix.begin(), prefix.end(), '/', '.');
    return prefix + ".";
}

// The words between quotation marks.
std::vector<std::string> quotedIn(std::string_view line)
{
    std::vector<std::string> words;
    for (auto at = line.find('"'); at != std::string_view::npos; at = line.find('"')) {
        line.remove_prefix(at + 1);
        const auto end = line.find('"');
        if (end == std::string_view::npos)
            break;
        words.push_back(cleanLine(excerpt(line.substr(0, end))));
        line.remove_prefix(end + 1);
    }
    return words;
}

void readClasses(std::string_view code, const std::string& prefix,
                 std::vector<TorchScriptSummary::Module>& modules)
{
    while (!code.empty() && modules.size() < kMostModules) {
        const auto end = code.find('\n');
        std::string_view line = code.substr(0, end);
        code.remove_prefix(end == std::string_view::npos ? code.size() : end + 1);
        constexpr std::string_view kClass = "class ";
        if (line.starts_with(kClass)) {
            line.remove_prefix(kClass.size());
            modules.push_back(
                {cleanLine(excerpt(prefix + std::string(line.substr(0, line.find_first_of("(:"))))),
                 {},
                 {}});
        } else if (!modules.empty() && line.starts_with("  __parameters__ =")) {
            modules.back().parameters = quotedIn(line);
        } else if (!modules.empty() && line.starts_with("  __buffers__ =")) {
            modules.back().buffers = quotedIn(line);
        }
    }
}

std::string moduleText(const TorchScriptSummary::Module& module)
{
    std::string names;
    for (const auto* list : {&module.parameters, &module.buffers}) {
        for (const std::string& name : *list)
            names += (names.empty() ? "" : ", ") + name;
    }
    return "\n  " + module.name + (names.empty() ? "" : ": " + names);
}

}  // namespace

std::optional<TorchScriptSummary> torchScriptSummary(const ZipArchive& archive)
{
    TorchScriptSummary summary;
    for (const ZipEntry& entry : archive.entries()) {
        const std::string_view name = insideOf(entry.name);
        if (name.starts_with("data/") || name.starts_with("constants/")) {
            ++summary.tensors;
            summary.tensorBytes += entry.bytes;
        }
        if (!name.starts_with("code/") || !name.ends_with(".py"))
            continue;
        summary.codeBytes += entry.bytes;
        if (++summary.codeFiles > kMostCodeFiles)
            continue;
        if (const auto code = archive.read(entry, kMostCodeBytes); code.ok())
            readClasses(code.value(), prefixOf(name), summary.modules);
    }
    return summary.codeFiles == 0 ? std::nullopt : std::optional(std::move(summary));
}

std::string TorchScriptSummary::text() const
{
    std::string text =
        counted(codeFiles, "file") + " of code (" + formatBytes(static_cast<double>(codeBytes)) +
        "), " + counted(tensors, "tensor") + " (" + formatBytes(static_cast<double>(tensorBytes)) +
        "), " + counted(modules.size(), "module") + ":";
    for (std::size_t i = 0; i < std::min(modules.size(), kShownModules); ++i)
        text += moduleText(modules[i]);
    if (modules.size() > kShownModules)
        text += "\n  …";
    return text;
}

}  // namespace qs::core
