#include "core/model/program_file.h"

#include "core/model/packaged/package_archive.h"
#include "core/model/packaged/package_facts.h"

namespace qs::core {

std::optional<ProgramSummary> scriptProgram(const std::optional<TorchScriptSummary>& script)
{
    if (!script)
        return std::nullopt;
    return ProgramSummary{ProgramKind::TorchScript, script->text(), script->inputs};
}

std::optional<ProgramSummary> programSummary(const std::filesystem::path& file)
{
    if (auto script = scriptProgram(torchScriptSummary(file)))
        return script;
    if (!packaged::isPackage(file))
        return std::nullopt;
    const auto package = packaged::readPackage(file);
    if (!package.ok())
        return std::nullopt;
    return ProgramSummary{ProgramKind::Package, package.value().text()};
}

std::filesystem::path madeOf(const std::filesystem::path& file, ProgramKind kind)
{
    if (kind == ProgramKind::Package)
        return packaged::factsFileOf(file);
    return std::filesystem::path(file).replace_extension(".pt2");
}

}  // namespace qs::core
