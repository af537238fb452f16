#include "core/report/profiles/gptq_runs.h"

#include "core/report/row_texts.h"
#include "core/sweep/cell_workload.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::string_view kByStraight = ":by=straight";

// "q_proj" of "model.layers.3.self_attn.q_proj"
std::string typeOf(const std::string& module)
{
    const auto dot = module.rfind('.');
    return dot == std::string::npos ? module : module.substr(dot + 1);
}

void takeRow(const Measurement& row, GptqCell& cell)
{
    const CellResult& result = row.result;
    if (!result.warmupSeconds.empty())
        cell.coldSeconds.push_back(result.warmupSeconds.front());
    for (const double seconds : result.counted(result.hostSeconds))
        cell.seconds.push_back(seconds);
    cell.memory.push_back(result.memory);
    for (const StageCalibration& stage : result.calibration) {
        for (const SolvedLayer& layer : stage.layers) {
            SolvedFigure& figure = cell.layers[typeOf(layer.module)];
            figure.seconds.add(layer.seconds);
            figure.loss.add(layer.loss);
        }
    }
}

}  // namespace

Result<std::vector<GptqCell>> gptqCells(const RunData& data, const Analysis& analysis)
{
    std::vector<GptqCell> cells;
    std::map<std::string, std::size_t> places;
    for (const CellSummary* summary : profiledCells(analysis)) {
        if (!isQuantizing(summary->cell->config))
            continue;
        GptqCell cell;
        cell.summary = summary;
        cell.straight = precisionText(summary->cell->config).find(kByStraight) != std::string::npos;
        places.emplace(summary->cellId, cells.size());
        cells.push_back(std::move(cell));
    }
    QS_RETURN_IF_ERROR(forEachRow(data, [&](const Measurement& row) -> std::function<void()> {
        const auto found = places.find(row.cellId);
        const bool counts = row.ok() && found != places.end() &&
                            cells[found->second].summary->environmentId == row.environmentId;
        GptqCell one;
        if (counts)
            takeRow(row, one);
        return [&cells, counts, place = counts ? found->second : 0, one = std::move(one)] {
            if (!counts)
                return;
            GptqCell& cell = cells[place];
            cell.coldSeconds.insert(cell.coldSeconds.end(), one.coldSeconds.begin(),
                                    one.coldSeconds.end());
            cell.seconds.insert(cell.seconds.end(), one.seconds.begin(), one.seconds.end());
            cell.memory.insert(cell.memory.end(), one.memory.begin(), one.memory.end());
            for (const auto& [type, figure] : one.layers) {
                cell.layers[type].seconds.add(figure.seconds);
                cell.layers[type].loss.add(figure.loss);
            }
        };
    }));
    return cells;
}

const GptqCell* straightOf(const std::vector<GptqCell>& cells, const GptqCell& cell)
{
    if (cell.straight)
        return nullptr;
    const auto plain = [](CellConfig config) {
        for (std::string& scheme : config.precision) {
            const auto place = scheme.find(kByStraight);
            if (place != std::string::npos)
                scheme.erase(place, kByStraight.size());
        }
        return config;
    };
    const auto found = std::find_if(cells.begin(), cells.end(), [&](const GptqCell& each) {
        return each.straight && plain(each.summary->cell->config) == cell.summary->cell->config &&
               each.summary->environmentId == cell.summary->environmentId;
    });
    return found == cells.end() ? nullptr : &*found;
}

}  // namespace qs::core
