#include "core/model/exported/open_joined.h"

#include "core/base/sha256.h"
#include "core/model/exported/exported_part.h"
#include "core/model/exported/joined_family.h"
#include "core/model/exported/program_inputs.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace qs::core::exported {

namespace {

// All but the content's hash.
Status joinHeaders(const std::vector<std::filesystem::path>& paths, OpenedModel& joined,
                   std::uint64_t& fileBytes)
{
    std::vector<JoinedPart> parts;
    StoredWeights all;
    for (const std::filesystem::path& path : paths) {
        ExportedPart part;
        const Status status = readPart(path, part);
        LoadReport& report = part.opened.report;
        const std::string stage = path.stem().string();
        fileBytes += part.fileBytes;
        joined.report.recognised += (parts.empty() ? "" : "\n") + stage + ": " + report.recognised;
        joined.report.storedTypes += (parts.empty() ? "" : " · ") + report.storedTypes;
        for (UnsupportedCall& each : report.unsupported)
            joined.report.unsupported.push_back(std::move(each));
        joined.report.advice = std::move(report.advice);  // that of all is alike
        joined.model.displayName += (parts.empty() ? "" : " + ") + stage;
        QS_RETURN_IF_ERROR(status);
        auto& stored = std::get<StoredWeights>(part.opened.model.weights);
        for (auto& [name, place] : stored.places) {
            place.file += all.files.size();
            all.places.emplace(stage + name.substr(name.find('/')), std::move(place));
        }
        all.files.insert(all.files.end(), stored.files.begin(), stored.files.end());
        parts.push_back({stage, part.opened.model.family, std::move(part.dimensions)});
    }
    QS_TRY(joined.model.family, joinFamilies(std::move(parts)));
    joined.model.weights = std::move(all);
    joined.model.declaredTrained = false;  // until somebody says so
    joined.model.variant = "exported";
    ShapePoint smallest = joined.model.family->workload().smallestShape();
    smallest.batch = std::max(smallest.batch, joined.model.family->workload().batches.lowest);
    return joined.model.family->checkShape(smallest);
}

std::string referenceOf(const std::vector<std::filesystem::path>& paths)
{
    std::string text;
    for (const std::filesystem::path& path : paths)
        text += (text.empty() ? "" : "+") + path.string();
    return text;
}

}  // namespace

Result<OpenedModel> openJoined(const std::vector<std::filesystem::path>& paths)
{
    OpenedModel joined;
    std::uint64_t fileBytes = 0;
    QS_RETURN_IF_ERROR(joinHeaders(paths, joined, fileBytes));
    Sha256 all;
    for (const std::filesystem::path& path : paths) {
        QS_TRY(const std::string hash, sha256File(path));
        all.update(std::as_bytes(std::span(hash)));
        joined.model.variant += "-" + hash.substr(0, 16);
    }
    joined.model.contentId = "sha256:" + all.hex();
    joined.model.reference = referenceOf(paths);
    return joined;
}

ModelInspection inspectJoined(const std::vector<std::filesystem::path>& paths)
{
    OpenedModel joined;
    ModelInspection inspection;
    inspection.status = joinHeaders(paths, joined, inspection.fileBytes);
    inspection.reference = referenceOf(paths);
    inspection.displayName = joined.model.displayName;
    inspection.family = joined.model.family;
    inspection.report = std::move(joined.report);
    inspection.files = paths;
    inspection.trained = true;
    return inspection;
}

}  // namespace qs::core::exported
