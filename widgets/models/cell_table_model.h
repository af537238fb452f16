#pragma once

#include "widgets/models/cell_columns.h"
#include "widgets/models/run_store.h"
#include "widgets/models/verdict_tone.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace qs::widgets {

// The cells of the run that is looked at, one row each in the order of the plan; columns are those
// of cellColumns(). Numbers change in
// place while a sweep runs; only another run resets the model.
class CellTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role {
        SortRole = Qt::UserRole,  // the raw number or text; invalid if there is none
        SeverityRole,             // int of Severity
        CellIdRole,               // QString
        ColumnIdRole,             // of headers: the stable name of the column
        VerdictToneRole,          // int of VerdictTone
        ShortTextRole,            // of cells and headings: where there is little room
        ShortToneRole,            // the verdict that stands in the short text
        TerseTextRole,            // the short text without an interval: where there is less still
        FullTextRole,             // of cells and headings: whatever the view shows
        IntervalRole,             // list of the two ends, in the unit of SortRole; or invalid
    };

    // `store` must outlive the model.
    explicit CellTableModel(const RunStore& store, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

    // What the words of the columns are made with.
    [[nodiscard]] const CellContext& context() const { return m_context; }
    // -1 if there is no such cell.
    [[nodiscard]] int rowOf(const QString& cellId) const;
    // Whether a column says anything in this run: one model on one device needs neither column.
    [[nodiscard]] bool usefulColumn(int column) const;
    // Of these, what is needed where there is little room.
    [[nodiscard]] bool essentialColumn(int column) const;
    // All cells are measured, and their status says no more than that.
    [[nodiscard]] bool allOk() const;
    // What all cells have in common, said once: "Compile: eager · Image size: 256 px".
    [[nodiscard]] QString commonText() const;

private:
    using GatesByCell = std::unordered_map<std::string, core::CellGates>;

    [[nodiscard]] bool anyHasValue(const CellColumn& column) const;
    [[nodiscard]] bool cellsDifferIn(const CellColumn& column) const;
    void reset();
    void update();
    // Other runs are compared with this one, or none any more.
    void updateOthers();
    // Whether headings changed.
    bool readContext();
    void readGates();
    // Tells the views about the rows whose content differs from what they were last told.
    void announceChanges(const core::Analysis& before, const GatesByCell& gatesBefore);
    // Why there is no value.
    [[nodiscard]] QString missingShortly(const CellColumn& column,
                                         const core::CellSummary& summary) const;
    [[nodiscard]] QString missingText(const core::CellSummary& summary, int column) const;
    [[nodiscard]] QString toolTip(const core::CellSummary& summary, int column) const;
    [[nodiscard]] Severity severity(const core::CellSummary& summary, int column) const;
    [[nodiscard]] QString text(const core::CellSummary& summary, const CellColumn& column,
                               bool shortly) const;
    [[nodiscard]] static QVariant interval(const core::CellSummary& summary,
                                           const CellColumn& column);
    // Of an output, by the distance that verdicts on quality are made of.
    [[nodiscard]] static bool isJudged(const CellColumn& column);
    [[nodiscard]] VerdictTone shortTone(const core::CellSummary& summary,
                                        const CellColumn& column) const;
    [[nodiscard]] VerdictTone tone(const core::CellSummary& summary, int column) const;

    const RunStore& m_store;
    CellContext m_context;
    std::shared_ptr<const core::Analysis> m_shown;  // what the views were last told of
    // By column, once it was asked for: ten thousand cells are not compared for every resize.
    mutable std::vector<std::optional<bool>> m_differ;
    std::size_t m_headingFingerprint = 0;
};

}  // namespace qs::widgets
