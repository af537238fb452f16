#pragma once

#include "core/sweep/plan.h"

#include <QWidget>

class QLabel;
class QScrollArea;
class QToolButton;

namespace qs::widgets {

// What the draft amounts to: number of cells and time, and the impossible cells with their reasons.
class PlanFooter final : public QWidget
{
    Q_OBJECT

public:
    explicit PlanFooter(QWidget* parent = nullptr);

    void showPlanning();
    // `objection`: why a run of it would be refused here; empty if it would not.
    void showPlan(const core::Plan& plan, const QString& objection = {});
    void showProblem(const QString& problem);

Q_SIGNALS:
    void cellsRequested();

private:
    void buildImpossible();
    void layOut();
    void setProblemVisible(bool visible);
    void fillImpossible(const core::Plan& plan);

    QLabel* m_icon;
    QLabel* m_summary;
    QToolButton* m_toggle;
    QToolButton* m_cells;
    QLabel* m_impossible;
    QScrollArea* m_impossibleArea;
};

}  // namespace qs::widgets
