#pragma once

#include "core/analysis/analysis.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace qs::widgets {

// The line below a comparison: which cell A is, how far from its reference, and whether its weights
// are trained.
class CompareHeading final : public QWidget
{
    Q_OBJECT

public:
    explicit CompareHeading(QWidget* parent = nullptr);

    void showCell(const core::Analysis& analysis, const core::PlannedCell& cell);
    // To be laid out at the end of the line, where nothing that comes and goes moves it.
    [[nodiscard]] QToolButton* detailsButton() const { return m_details; }

Q_SIGNALS:
    // The user wants to know how A was measured.
    void measuredWanted();

private:
    QLabel* m_verdict;
    QLabel* m_untrained;
    QToolButton* m_details;
};

// A label of plain text that wraps and can be selected.
[[nodiscard]] QLabel* makeParagraph(const QString& name);

}  // namespace qs::widgets
