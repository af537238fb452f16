#include "core/model/torchscript_file.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/format.h"
#include "core/base/text_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace qs::core {

namespace {

constexpr std::uint64_t kMostCodeBytes = std::uint64_t{4} << 20U;  // of one file
constexpr std::uint64_t kMostCodeFiles = 2000;
constexpr std::size_t kMostModules = 4096;
constexpr std::size_t kShownModules = 12;
constexpr std::size_t kMostSignature = std::size_t{1} << 14U;  // letters of its arguments

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

// What is read of the code beside its classes.
struct CodeFacts {
    std::vector<TorchScriptSummary::Module> modules;
    std::map<std::string, std::vector<std::string>> inputs;  // of forward(), by module
    std::set<std::string> held;                              // types of attributes
};

// "  conv : __torch__.torch.nn.modules.conv.Conv2d", "  __annotations__["0"] = __torch__.Block"
void noteAttribute(std::string_view line, CodeFacts& facts)
{
    constexpr std::string_view kTypes = "__torch__.";
    for (const std::string_view before : {" : ", "\"] = "}) {
        const auto at = line.find(before);
        if (at != std::string_view::npos && line.substr(at + before.size()).starts_with(kTypes))
            facts.held.emplace(line.substr(at + before.size()));
    }
}

// The arguments stand on lines of their own behind the first, "self: __torch__.Net":
// "  def forward(self: __torch__.Net,"
// "    x: Tensor) -> Tensor:"
std::vector<std::string> argumentsOf(std::string_view code)
{
    std::vector<std::string> arguments;
    constexpr std::string_view kEnd = ") -> ";
    const auto end = code.substr(0, kMostSignature + kEnd.size()).find(kEnd);
    if (end == std::string_view::npos)
        return arguments;
    std::string_view rest = code.substr(0, end);
    for (auto comma = rest.find(",\n"); comma != std::string_view::npos; comma = rest.find(",\n")) {
        rest.remove_prefix(comma + 2);
        const std::string_view one = rest.substr(0, rest.find(",\n"));
        arguments.push_back(
            cleanLine(excerpt(one.substr(std::min(one.find_first_not_of(' '), one.size())))));
    }
    return arguments;
}

void readClasses(std::string_view code, const std::string& prefix, CodeFacts& facts)
{
    std::vector<TorchScriptSummary::Module>& modules = facts.modules;
    while (!code.empty() && modules.size() < kMostModules) {
        const auto end = code.find('\n');
        std::string_view line = code.substr(0, end);
        constexpr std::string_view kForward = "  def forward(";
        if (line.starts_with(kForward) && !modules.empty())
            facts.inputs[modules.back().name] = argumentsOf(code);
        code.remove_prefix(end == std::string_view::npos ? code.size() : end + 1);
        noteAttribute(line, facts);
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

// Those of the module that is the whole: nobody holds it as an attribute.
std::vector<std::string> inputsOfWhole(const CodeFacts& facts)
{
    for (auto module = facts.modules.rbegin(); module != facts.modules.rend(); ++module) {
        const auto inputs = facts.inputs.find(module->name);
        if (inputs != facts.inputs.end() && !facts.held.contains(module->name))
            return inputs->second;
    }
    return {};
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
    CodeFacts facts;
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
            readClasses(code.value(), prefixOf(name), facts);
    }
    summary.inputs = inputsOfWhole(facts);
    summary.modules = std::move(facts.modules);
    return summary.codeFiles == 0 ? std::nullopt : std::optional(std::move(summary));
}

std::optional<TorchScriptSummary> torchScriptSummary(const std::filesystem::path& file)
{
    // PyTorch lists code behind the tensors.
    if (!listsEntry(file, "/code/"))
        return std::nullopt;
    const auto archive = ZipArchive::open(file);
    return archive.ok() ? torchScriptSummary(archive.value()) : std::nullopt;
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
