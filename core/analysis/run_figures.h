#pragma once

#include "core/analysis/row_figures.h"
#include "core/analysis/row_outline.h"
#include "core/record/output_places.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace qs::core {

// The figures of all rows of a run, by cell: what an analysis is made from. A hundred thousand rows
// take less than 100 MB, so that they can be added while the journal is read and then forgotten.
class RunFigures final
{
public:
    RunFigures() = default;
    // On several threads.
    explicit RunFigures(const std::vector<Measurement>& rows);

    // In order of the journal; `figures` are those of the row, which is not kept.
    void add(const Measurement& row, RowFigures figures);

    // In order of the journal; none of a cell without rows.
    [[nodiscard]] const std::vector<RowFigures>& ofCell(const std::string& cellId) const;
    [[nodiscard]] const RowOutline& outline() const { return m_outline; }
    [[nodiscard]] const OutputPlaces& outputs() const { return m_outputs; }

private:
    std::unordered_map<std::string, std::vector<RowFigures>> m_cells;
    RowOutline m_outline;
    OutputPlaces m_outputs;
};

}  // namespace qs::core
