#pragma once

#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

#include <QString>

#include <vector>

namespace qs::widgets {

// What a line of a legend stands for.
enum class LegendPart { Curve, Precision, Compile, Rest, Run };

struct LegendEntry {
    LegendPart part = LegendPart::Curve;
    QString key;  // of the curve, or of those that share the precision or compile mode
    QString name;
    std::size_t curve = 0;   // the first that it stands for
    QString changed = {};    // of another run: what is not as in the run in view
    QString shortName = {};  // of a curve or precision: without options that all have
};

// The entries for the curves of the run in view: one each or, where that says the same in fewer
// lines, one for each precision (colour), each compile mode (line style) and, if something else
// differs, each of that (mark), then one for each curve that looks otherwise, as there are more
// precisions than colours. Where other runs are laid over it, one for each run (mark) follows.
[[nodiscard]] std::vector<LegendEntry> legendEntries(const CurveSet& set);

// What the legend calls it: in a short one, compile modes of Inductor as torch.compile does, and
// nothing with options of the precision that all have.
[[nodiscard]] QString nameIn(const CurveLook& look, const LegendEntry& entry);
// A name as the legend has it: cut in the middle where it is too long, as modes stand at its end.
[[nodiscard]] QString fittedName(const CurveLook& look, const QString& name);

// Curves that the legend would name one by one, if there were room for all.
[[nodiscard]] int curvesToName(const CurveSet& set);

// Curves that look like another one: there are more of them than looks.
[[nodiscard]] int curvesNotTold(const CurveSet& set);

// Whether a curve is the one of an entry's key, or one of those that share it.
[[nodiscard]] bool isOf(const Curve& curve, const QString& key);
// All curves of the key are hidden.
[[nodiscard]] bool isHidden(const CurveSet& set, const CurveLook& look, const QString& key);
// The same of all curves of a run.
[[nodiscard]] bool isRunHidden(const CurveSet& set, const CurveLook& look, int run);
// The point at the place of the selected cell, or the best, of the curves of the key.
[[nodiscard]] QString cellOfKey(const CurveSet& set, const QString& key,
                                const QString& selectedCell);

}  // namespace qs::widgets
