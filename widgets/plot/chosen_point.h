#pragma once

#include "widgets/models/run_store.h"

#include <QString>

namespace qs::widgets {

// The point of a plot of several runs that the user has clicked: it selects the cell of the run in
// view, and the ring stays on the very point until another cell is selected.
class ChosenPoint final
{
public:
    // `store` must outlive it.
    explicit ChosenPoint(RunStore& store) : m_store(store) {}

    // False if the run in view does not have the cell.
    [[nodiscard]] bool choose(const QString& pointId);
    // Where the ring belongs now.
    [[nodiscard]] QString marked();

private:
    RunStore& m_store;
    QString m_clicked;  // of another run, as long as its cell is the selected one
};

}  // namespace qs::widgets
