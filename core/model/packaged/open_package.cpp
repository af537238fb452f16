#include "core/model/packaged/open_package.h"

#include "core/base/sha256.h"
#include "core/model/packaged/package_archive.h"
#include "core/model/packaged/package_facts.h"
#include "core/model/packaged/packaged_family.h"

#include <cstdio>
#include <set>
#include <utility>

namespace qs::core::packaged {

namespace {

struct OpenedPackage {
    OpenedModel opened;
    std::uint64_t fileBytes = 0;
    std::string text;  // of the archive; empty if it is none
};

Error notTried(const std::filesystem::path& path, const std::string& why)
{
    return {ErrorCode::Unsupported,
            path.string() + " is a compiled program (AOTInductor). " + why +
                "\nIf you trust it, try it once and say what its inputs look like: quantscope-cli "
                "convert FILE --input x=float32[batch,3,224,224]"};
}

std::string typesOf(const PackageFacts& facts)
{
    std::set<std::string> types;
    for (const DeclaredInput& input : facts.inputs)
        types.insert(std::string(name(input.dtype)));
    std::string text;
    for (const std::string& type : types)
        text += (text.empty() ? "" : ", ") + type;
    return "a program, with inputs of " + text;
}

std::string contentOf(const PackageFacts& facts)
{
    std::string text = facts.sha256;
    for (const DeclaredInput& input : facts.inputs)
        text += "|" + toText(input);
    return sha256Hex(text);
}

PackagedProgram programOf(const PackageArchive& archive, const std::string& hash)
{
    PackagedProgram program{archive.path, hash, archive.device};
    if (!archive.capability.empty())
        static_cast<void>(std::sscanf(archive.capability.c_str(), "%d.%d", &program.computeMajor,
                                      &program.computeMinor));
    return program;
}

void addAdvice(const PackageFacts& facts, LoadReport& report)
{
    report.advice.push_back(
        "It runs as it is: no precision, no compile mode and no layer can be chosen. Use "
        "\"as-packaged\" for both, and sweep its batch.");
    if (!facts.freeBatch())
        report.advice.push_back("Its sizes are fixed. To sweep the batch, export it with "
                                "dynamic_shapes and package it again.");
    report.advice.push_back("There is nothing to compare its outputs with: they are stored, and no "
                            "quality is shown.");
}

// As far as nothing is wrong: what was recognised stands in the report even if it cannot be run.
Status readPackageModel(const std::filesystem::path& path, OpenedPackage& package)
{
    Model& model = package.opened.model;
    model.displayName = path.stem().string();
    model.reference = path.string();
    model.declaredTrained = false;  // until somebody says so
    QS_TRY(const PackageArchive archive, readPackage(path));
    package.fileBytes = archive.fileBytes;
    LoadReport& report = package.opened.report;
    report.recognised = "AOTInductor package: " + archive.text();
    package.text = archive.text();
    const auto facts = readFacts(factsFileOf(path));
    if (!facts.ok() && facts.error().code != ErrorCode::NotFound)
        return facts.error();
    if (!facts.ok())
        return notTried(path, "It does not say what its inputs and outputs look like.");
    QS_TRY(const std::string hash, sha256File(path));
    if (hash != facts.value().sha256)
        return notTried(path, "It is another file than the one that was tried, which " +
                                  factsFileOf(path).string() + " is about.");
    auto family = makeFamily(programOf(archive, hash), facts.value());
    if (!family.ok())
        return family.error().within(path.string());
    model.family = std::move(family.value());
    model.weights = StoredWeights{{path}, {}};
    // Other sizes of the same program are another model.
    const std::string content = contentOf(facts.value());
    model.variant = "package-" + content.substr(0, 16);
    model.contentId = "sha256:" + content;
    report.storedTypes = typesOf(facts.value());
    addAdvice(facts.value(), report);
    return {};
}

}  // namespace

Result<OpenedModel> openPackage(const std::filesystem::path& path)
{
    OpenedPackage package;
    QS_RETURN_IF_ERROR(readPackageModel(path, package));
    return std::move(package.opened);
}

ModelInspection inspectPackage(const std::filesystem::path& path)
{
    OpenedPackage package;
    ModelInspection inspection;
    inspection.status = readPackageModel(path, package);
    inspection.reference = path.string();
    inspection.displayName = package.opened.model.displayName;
    inspection.family = package.opened.model.family;
    inspection.report = std::move(package.opened.report);
    inspection.files = {path};
    inspection.fileBytes = package.fileBytes;
    inspection.trained = true;
    if (!package.text.empty())
        inspection.program = ProgramSummary{ProgramKind::Package, package.text, {}};
    return inspection;
}

}  // namespace qs::core::packaged
