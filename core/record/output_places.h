#pragma once

#include "core/record/measurement.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace qs::core {

// Which outputs of a run are stored, and where. What a cell gave on one machine says nothing of the
// same cell on another, so every environment keeps outputs of its own and none ever replaces those
// of another: the environment that stored the first ones of a cell has cells/<id>, each later one a
// sub-folder of it. The rows tell which it was, see OutputRecord::file.
class OutputPlaces final
{
public:
    OutputPlaces() = default;
    explicit OutputPlaces(const std::vector<Measurement>& rows);

    // Rows that are not ok or kept no files change nothing.
    void add(const Measurement& row);

    // How many pictures are stored; 0 if there are none.
    [[nodiscard]] int pictures(const std::string& cellId, const std::string& environmentId) const;
    // Below the folder of the cell, empty for that itself; where the first outputs of the
    // environment would go if it has none.
    [[nodiscard]] std::string subfolder(const std::string& cellId,
                                        const std::string& environmentId) const;
    // A worker names files as they lie in the folder that it was given: makes them those of the
    // cell.
    void nameFiles(Measurement& row) const;
    // Those that have stored outputs of the cell, the first one first.
    [[nodiscard]] std::vector<std::string> environments(const std::string& cellId) const;

private:
    struct Stored {
        std::string environmentId;
        bool inSubfolder = false;
        int pictures = 0;
    };
    [[nodiscard]] const Stored* find(const std::string& cellId,
                                     const std::string& environmentId) const;

    std::unordered_map<std::string, std::vector<Stored>> m_byCell;
};

// A place is a folder below cells/: that of the cell, or a sub-folder of it.
[[nodiscard]] std::string outputPlace(const std::string& cellId, const std::string& subfolder = {});
// The name of the sub-folder of an environment, fit for a folder whatever the id is.
[[nodiscard]] std::string environmentSubfolder(const std::string& environmentId);

}  // namespace qs::core
