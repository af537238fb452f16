#pragma once

#include "core/analysis/analysis.h"

#include <QWidget>

class QLabel;

namespace qs::widgets {

// The line below a comparison: which cell A is, how far from its reference, and whether its weights
// are trained.
class CompareHeading final : public QWidget
{
    Q_OBJECT

public:
    explicit CompareHeading(QWidget* parent = nullptr);

    void showCell(const core::Analysis& analysis, const core::PlannedCell& cell);

Q_SIGNALS:
    // The user wants to know how A was measured.
    void measuredWanted();

private:
    QLabel* m_verdict;
    QLabel* m_untrained;
};

// A label of plain text that wraps and can be selected.
[[nodiscard]] QLabel* makeParagraph(const QString& name);

}  // namespace qs::widgets
