#include "core/record/output_places.h"

#include "core/base/sha256.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::size_t kHashLength = 64;
constexpr std::size_t kShortLength = 12;  // 48 bits: a run sees a handful of environments

bool isHash(const std::string& id)
{
    return id.size() == kHashLength && std::all_of(id.begin(), id.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

}  // namespace

std::string outputPlace(const std::string& cellId, const std::string& subfolder)
{
    return subfolder.empty() ? cellId : cellId + "/" + subfolder;
}

std::string environmentSubfolder(const std::string& environmentId)
{
    return (isHash(environmentId) ? environmentId : sha256Hex(environmentId))
        .substr(0, kShortLength);
}

OutputPlaces::OutputPlaces(const std::vector<Measurement>& rows)
{
    for (const Measurement& row : rows)
        add(row);
}

void OutputPlaces::add(const Measurement& row)
{
    const auto& outputs = row.result.outputs;
    const auto hasFile = [](const OutputRecord& output) { return !output.file.empty(); };
    const auto kept = std::find_if(outputs.begin(), outputs.end(), hasFile);
    if (!row.ok() || kept == outputs.end())
        return;
    // Only the place that the environment would get is one; a journal may name any.
    const bool inSubfolder = kept->file.starts_with(environmentSubfolder(row.environmentId) + "/");
    const auto pictures = static_cast<int>(std::count_if(outputs.begin(), outputs.end(), hasFile));
    std::vector<Stored>& all = m_byCell[row.cellId];
    for (Stored& stored : all) {
        if (stored.environmentId == row.environmentId) {
            stored.pictures = pictures;
            return;
        }
        // Two environments cannot have stored in one folder: it holds what came first.
        if (!stored.inSubfolder && !inSubfolder)
            return;
    }
    all.push_back(
        {.environmentId = row.environmentId, .inSubfolder = inSubfolder, .pictures = pictures});
}

const OutputPlaces::Stored* OutputPlaces::find(const std::string& cellId,
                                               const std::string& environmentId) const
{
    const auto cell = m_byCell.find(cellId);
    if (cell == m_byCell.end())
        return nullptr;
    const auto found =
        std::find_if(cell->second.begin(), cell->second.end(),
                     [&](const Stored& stored) { return stored.environmentId == environmentId; });
    return found == cell->second.end() ? nullptr : &*found;
}

int OutputPlaces::pictures(const std::string& cellId, const std::string& environmentId) const
{
    const Stored* stored = find(cellId, environmentId);
    return stored == nullptr ? 0 : stored->pictures;
}

std::string OutputPlaces::subfolder(const std::string& cellId,
                                    const std::string& environmentId) const
{
    const std::string own = environmentSubfolder(environmentId);
    if (const Stored* stored = find(cellId, environmentId))
        return stored->inSubfolder ? own : std::string();
    const auto cell = m_byCell.find(cellId);
    const bool taken = cell != m_byCell.end() && !cell->second.empty();
    return taken ? own : std::string();
}

void OutputPlaces::nameFiles(Measurement& row) const
{
    const std::string folder = subfolder(row.cellId, row.environmentId);
    for (OutputRecord& output : row.result.outputs) {
        if (!folder.empty() && !output.file.empty())
            output.file = folder + "/" + output.file;
    }
}

std::vector<std::string> OutputPlaces::environments(const std::string& cellId) const
{
    std::vector<std::string> ids;
    if (const auto cell = m_byCell.find(cellId); cell != m_byCell.end()) {
        for (const Stored& stored : cell->second)
            ids.push_back(stored.environmentId);
    }
    return ids;
}

}  // namespace qs::core
