#pragma once

#include "core/sweep/plan.h"

#include <QDialog>

namespace qs::widgets {

// Every cell of a plan with what is known of it before it runs; impossible ones are grey. Modeless:
// it shows the plan as it was when it was opened.
class PlannedCellsDialog final : public QDialog
{
    Q_OBJECT

public:
    PlannedCellsDialog(const core::Plan& plan, QWidget* parent);
};

}  // namespace qs::widgets
