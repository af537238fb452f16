#pragma once

#include "core/sweep/plan.h"

#include <QAbstractTableModel>

namespace qs::widgets {

// The cells of a plan before it runs.
class PlannedCellsModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Cell, Role, Time, Weights, Work, Remark, ColumnCount };
    // Numbers as doubles, texts as they are shown.
    static constexpr int kSortRole = Qt::UserRole;

    explicit PlannedCellsModel(core::Plan plan, QObject* parent = nullptr);

    [[nodiscard]] const core::Plan& plan() const { return m_plan; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    core::Plan m_plan;
};

}  // namespace qs::widgets
