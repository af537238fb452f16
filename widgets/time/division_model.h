#pragma once

#include "widgets/models/run_store.h"
#include "widgets/time/work_share.h"

#include <QAbstractTableModel>

#include <vector>

namespace qs::widgets {

// The cells of the run that have a profile, in the order of the plan: how their time divides.
class DivisionModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Cell, PerUnit, Bar, Launches, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole,
        CellIdRole,
        SharesRole,  // WorkShares
        LengthRole,  // of the bar, 0 … 1: time per unit over the longest of the run
    };

    // `store` must outlive the model.
    explicit DivisionModel(const RunStore& store, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Row {
        QString cellId;
        QString name;
        QString shortName = {};  // among the rows
        double seconds = 0.0;    // per unit
        WorkShares shares;
        double launches = 0.0;
    };

    void refresh();
    [[nodiscard]] QVariant textOf(const Row& row, int column) const;
    [[nodiscard]] QVariant sortValue(const Row& row, int column) const;

    const RunStore& m_store;
    std::vector<Row> m_rows;
    double m_longest = 0.0;
};

}  // namespace qs::widgets
