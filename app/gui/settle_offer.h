#pragma once

#include "core/analysis/open_comparisons.h"

#include <QString>

#include <optional>

class QAction;

namespace qs::app {

// What it would take to settle the open comparisons of the run in view, in words.
struct SettleOffer {
    bool possible = false;
    QString text;       // "Settle 3 comparisons: 4 cells × 3 repeats, about 6 min"
    QString shortText;  // for a button
    QString toolTip;    // what it does, or why it cannot
};

// `obstacle`: why the run in view takes no more rounds now; empty if it does.
[[nodiscard]] SettleOffer settleOffer(const core::RunData& data, const core::Analysis& analysis,
                                      const QString& obstacle);

void showOffer(const SettleOffer& offer, QAction& settle);

// What is appended to the run then; none if there is nothing to do. Copies cells: not for every
// change of the window.
[[nodiscard]] std::optional<core::Plan> settleAddition(const core::RunData& data,
                                                       const core::Analysis& analysis);

}  // namespace qs::app
