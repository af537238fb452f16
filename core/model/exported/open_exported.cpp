#include "core/model/exported/open_exported.h"

#include "core/base/sha256.h"
#include "core/graph/exported/exported_archive.h"
#include "core/model/exported/exported_family.h"
#include "core/model/exported/exported_part.h"
#include "core/model/exported/open_joined.h"
#include "core/model/joined_paths.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace qs::core::exported {

namespace {

// Parts of weights that are quantized ("m.weight:scale", see Note [Quantized checkpoints]) say
// nothing of the type of the rest, and nothing is computed in floats of 8 bits.
bool tellsType(const std::string& tensor, DType type)
{
    return isFloating(type) && byteSize(type) > 1 && tensor.find(':') == std::string::npos;
}

// The floating type that most of the parameters have.
DType exportTypeOf(const ExportedArchive& archive)
{
    std::map<DType, std::int64_t> elements;
    for (const ProgramInput& input : archive.program.inputs) {
        const auto found = archive.tensors.find(input.target);
        if (input.role != InputRole::User && found != archive.tensors.end() &&
            tellsType(input.target, found->second.type.dtype))
            elements[found->second.type.dtype] += found->second.type.elementCount();
    }
    const auto most =
        std::max_element(elements.begin(), elements.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == elements.end() ? DType::Float32 : most->first;
}

// Sorts the tensors that the program reads; what lies at one place is one weight.
Status sortTensors(const ExportedArchive& archive, ProgramParts& parts, StoredWeights& stored)
{
    std::map<std::uint64_t, std::vector<std::pair<TensorSlice, std::string>>> byOffset;
    stored.files.push_back(archive.path);
    for (const ProgramInput& input : archive.program.inputs) {
        if (input.role == InputRole::User || input.role == InputRole::UserConstant)
            continue;
        const auto found = archive.tensors.find(input.target);
        if (found == archive.tensors.end())
            return Error{ErrorCode::Format,
                         archive.path.string() + ": the archive has no content of " + input.target};
        const TensorSlice& slice = found->second;
        // Parameters and what is learned beside them; positions and masks are no part of a model.
        const bool working = slice.type.dtype == parts.exportType &&
                             (input.role == InputRole::Parameter ||
                              (input.role == InputRole::Buffer && input.persistent));
        auto& there = byOffset[slice.offset];
        const auto same = std::find_if(there.begin(), there.end(), [&](const auto& each) {
            return each.first == slice && slice.bytes > 0 &&
                   parts.tensors.at(each.second).working == working;
        });
        if (same != there.end()) {
            parts.tensors[input.target] = parts.tensors.at(same->second);
            continue;
        }
        there.emplace_back(slice, input.target);
        parts.tensors[input.target] = {input.target, slice.type, working};
        parts.weights.push_back(
            {.name = input.target,
             .shape = slice.type.shape,
             .initialiser = {},
             .buffer = input.role != InputRole::Parameter,
             .ownType = working ? std::nullopt : std::optional(slice.type.dtype)});
        stored.places[std::string(kStage) + "/" + input.target] = {0, input.target, slice};
    }
    return {};
}

std::string reportText(const ExportedArchive& archive, const ProgramParts& parts)
{
    std::string text = "program of torch.export, " +
                       std::to_string(archive.program.graph.nodes.size()) + " operations";
    if (!archive.program.torchVersion.empty())
        text += ", torch " + archive.program.torchVersion;
    text += "; inputs ";
    bool first = true;
    for (const InputSpec& input : parts.sizes.workload.inputs) {
        text += (first ? "" : ", ") + input.name;
        first = false;
    }
    if (parts.sizes.batchSymbol.empty())
        text += "; fixed batch " + std::to_string(parts.sizes.fixedBatch);
    return text;
}

std::string storedTypes(const ExportedArchive& archive)
{
    std::set<std::string> types;
    for (const auto& [name, slice] : archive.tensors)
        types.insert(std::string(qs::core::name(slice.type.dtype)));
    std::string text;
    for (const std::string& type : types)
        text += (text.empty() ? "" : ", ") + type;
    return text.empty() ? "nothing" : text;
}

void addAdvice(const ProgramSizes& sizes, LoadReport& report)
{
    if (sizes.batchSymbol.empty())
        report.advice.push_back("The batch is fixed at " + std::to_string(sizes.fixedBatch) +
                                ". To sweep others, export with " + freeBatchLine(sizes));
    report.advice.push_back(
        "Declare what the inputs are fed with and whether the weights are trained; until then "
        "inputs are random and outputs are compared as numbers only.");
}

}  // namespace

Error unsupportedProgram(const std::filesystem::path& path,
                         const std::vector<UnsupportedOperation>& operations)
{
    std::string text = path.string() + " uses operations that cannot be run here:";
    for (const UnsupportedOperation& each : operations) {
        text += "\n  " + each.target + ", " + std::to_string(each.calls) +
                (each.calls == 1 ? " call" : " calls") +
                (each.module.empty() ? "" : ", first in " + each.module);
        if (each.dataDependent)
            text += " (the size of its result depends on the data)";
    }
    return {ErrorCode::Unsupported, text};
}

Status readPart(const std::filesystem::path& path, ExportedPart& headers)
{
    QS_TRY(ExportedArchive archive, openExportedArchive(path));
    headers.fileBytes = archive.fileBytes;
    Model& model = headers.opened.model;
    model.displayName = path.stem().string();
    model.reference = path.string();
    model.declaredTrained = false;  // until somebody says so
    ProgramParts parts;
    parts.exportType = exportTypeOf(archive);
    StoredWeights stored;
    QS_RETURN_IF_ERROR(sortTensors(archive, parts, stored));
    auto sizes = programSizes(archive.program);
    if (!sizes.ok())
        return sizes.error().within(path.string());
    parts.sizes = std::move(sizes.value());
    headers.dimensions = inputDimensions(archive.program, parts.sizes);
    headers.opened.report.recognised = reportText(archive, parts);
    headers.opened.report.storedTypes = storedTypes(archive);
    addAdvice(parts.sizes, headers.opened.report);
    if (const auto unsupported = unsupportedOperations(archive.program.graph);
        !unsupported.empty()) {
        for (const UnsupportedOperation& each : unsupported)
            headers.opened.report.unsupported.push_back(
                {each.target, each.module, static_cast<int>(each.calls), each.dataDependent});
        return unsupportedProgram(path, unsupported);
    }
    model.variant = "exported";
    parts.program = std::move(archive.program);
    const ShapePoint smallest = parts.sizes.workload.smallestShape();
    model.family = makeFamily(std::move(parts));
    model.weights = std::move(stored);
    // Once, so that what does not fit is said before anything is planned.
    const auto graph = model.family->buildStage(0, smallest, DType::Float32);
    if (!graph.ok())
        return graph.error().within(path.string());
    return {};
}

Result<OpenedModel> openExported(const std::filesystem::path& path)
{
    if (const auto paths = joinedPaths(path); paths.size() > 1)
        return openJoined(paths);
    ExportedPart headers;
    QS_RETURN_IF_ERROR(readPart(path, headers));
    QS_TRY(const std::string hash, sha256File(path));
    headers.opened.model.contentId = "sha256:" + hash;
    // What is known of one program is not of another.
    headers.opened.model.variant = "exported-" + hash.substr(0, 16);
    return std::move(headers.opened);
}

ModelInspection inspectExported(const std::filesystem::path& path)
{
    if (const auto paths = joinedPaths(path); paths.size() > 1)
        return inspectJoined(paths);
    ExportedPart headers;
    ModelInspection inspection;
    inspection.status = readPart(path, headers);
    inspection.reference = path.string();
    inspection.displayName = headers.opened.model.displayName;
    inspection.family = headers.opened.model.family;
    inspection.report = std::move(headers.opened.report);
    inspection.files = {path};
    inspection.fileBytes = headers.fileBytes;
    inspection.trained = true;
    return inspection;
}

}  // namespace qs::core::exported
