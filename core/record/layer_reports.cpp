#include "core/record/layer_reports.h"

#include "core/measure/layer_report.h"
#include "core/record/run_folder.h"
#include "core/sweep/cell_member.h"

#include <system_error>
#include <unordered_set>
#include <utility>

namespace qs::core {

namespace fs = std::filesystem;

FilePlace layerReportFile(const fs::path& runFolder, const std::string& place)
{
    return FilePlace::inside(runFolder, fs::path("cells") / place / kLayerReportFile);
}

bool haveSameLayers(const CellConfig& a, const CellConfig& b)
{
    // Texts are made of few: a plan may have thousands of cells.
    return a.device == b.device && a.precision == b.precision && a.layers == b.layers &&
           a.model == b.model && a.sizes == b.sizes && weightsKey(a) == weightsKey(b);
}

std::vector<std::string> layerReportPlaces(const RunData& data, const PlannedCell& cell)
{
    std::vector<std::string> places{outputPlace(cell.id)};
    for (const Environment& environment : data.environments)
        places.push_back(outputPlace(cell.id, environmentSubfolder(environment.id())));
    std::erase_if(places, [&](const std::string& place) {
        return !isThere(layerReportFile(data.folder, place));
    });
    return places;
}

std::vector<LayerReportPlace> layerReportPlaces(const RunData& data)
{
    std::vector<LayerReportPlace> places;
    if (data.folder.empty())
        return places;
    // A plan may have thousands of cells of which few kept anything.
    std::error_code error;
    std::unordered_set<std::string> kept;
    for (fs::directory_iterator at(data.folder / "cells", error), end; !error && at != end;
         at.increment(error))
        kept.insert(at->path().filename().string());
    for (const PlannedCell& cell : data.plan.cells) {
        if (kept.count(cell.id) == 0)
            continue;
        for (std::string& place : layerReportPlaces(data, cell))
            places.push_back({cell.id, std::move(place)});
    }
    return places;
}

}  // namespace qs::core
