#pragma once

#include "core/analysis/gates.h"
#include "widgets/models/run_store.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::widgets {

// The cells of the run that are compiled, in the order of the plan: what compiling costs and when
// it has paid.
class CompileCostModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        Cell,
        Cold,
        Warm,
        Start,
        Speedup,
        Passes,
        Units,
        Distance,
        Expected,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole,
        CellIdRole,
        ResultRole,  // core::BreakEvenResult as int; invalid where nothing breaks even
    };

    // `store` must outlive the model.
    explicit CompileCostModel(const RunStore& store, QObject* parent = nullptr);

    // What Passes and Units are counted from.
    void setStart(core::CompileStart start);
    [[nodiscard]] core::CompileStart start() const { return m_start; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Row {
        std::string cellId;
        QString name;
        QString shortName = {};  // among the rows
        QString baseline;        // name; empty without one
        core::CellGates gates;
    };

    void refresh();
    void addRows();
    // Of the analysis that the rows were made from.
    [[nodiscard]] const core::CellSummary& summaryOf(const Row& row) const;
    [[nodiscard]] QString textOf(const Row& row, int column) const;
    [[nodiscard]] QString breakEvenTextOf(const core::CellSummary& summary, int column) const;
    [[nodiscard]] QVariant sortValue(const Row& row, int column) const;
    [[nodiscard]] QString tipOf(const Row& row) const;

    const RunStore& m_store;
    std::shared_ptr<const core::Analysis> m_analysis;
    std::vector<Row> m_rows;
    std::optional<std::int64_t> m_batch;  // of all rows; nothing if they differ
    core::CompileStart m_start = core::CompileStart::Cold;
};

}  // namespace qs::widgets
