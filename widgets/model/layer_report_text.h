#pragma once

#include "core/measure/layer_report.h"

#include <QString>

namespace qs::widgets {

// The columns of a layer report, in their order.
enum class LayerFigure {
    Scale,
    Saturated,
    Underflown,
    WeightError,
    LocalError,
    CumulativeError,
    Executed,
    Fused,
    SolverLoss,
    SolverSeconds,
    DeadColumns,
};

[[nodiscard]] QString layerFigureTitle(LayerFigure figure);
// One sentence for the head of the column.
[[nodiscard]] QString layerFigureMeaning(LayerFigure figure);
// "0.0123", "0.4 %"; nothing where the figure is not known.
[[nodiscard]] QString layerFigureText(const core::ReportedLayer& layer, LayerFigure figure);
// The same with everything that the report says of it.
[[nodiscard]] QString layerFigureTip(const core::ReportedLayer& layer, LayerFigure figure);

}  // namespace qs::widgets
