#include "core/record/cell_label.h"

namespace qs::core {

std::string cellLabel(const PlannedCell& cell)
{
    std::string text = precisionText(cell.config) + " · " + cell.config.compile;
    if (cell.rerun > 0)
        text += " · again";
    return text;
}

}  // namespace qs::core
