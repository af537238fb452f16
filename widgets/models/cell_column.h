#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/gates.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/metric.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/other_runs.h"
#include "widgets/models/verdict_tone.h"

#include <QCoreApplication>
#include <QString>
#include <QVariant>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace qs::widgets {

// What columns need to know besides the cell itself.
struct CellContext {
    const core::Analysis* analysis = nullptr;
    QString baseline;                    // in words
    bool untrained = false;              // no cell has trained weights: nothing is said of quality
    bool quantizes = false;              // what all cells do; it takes minutes
    std::optional<core::WorkUnit> unit;  // what all cells make; nothing if they differ
    std::vector<QString> stages;         // names of the first two stages
    bool memoryInMebibytes = false;      // all of it is too little for gibibytes to read well
    core::Price price;                   // of an hour of the device; empty: no costs

    OtherRuns::Beside beside;  // the runs that are compared with this one

    std::unordered_map<std::string, core::CellGates> gates;  // empty if the run has none

    // Null if no gate speaks of the cell.
    [[nodiscard]] const core::CellGates* gatesOf(const core::CellSummary& summary) const;
};

// The translations of all columns.
struct ColumnWords {
    Q_DECLARE_TR_FUNCTIONS(CellColumns)
};

// A text of a column: fixed words, translated when shown, or made from the context.
class ColumnText final
{
public:
    constexpr ColumnText(const char* words) : m_words(words) {}
    constexpr ColumnText(QString (*make)(const CellContext&)) : m_make(make) {}

    [[nodiscard]] QString operator()(const CellContext& context) const;

private:
    const char* m_words = nullptr;
    QString (*m_make)(const CellContext&) = nullptr;
};

// When a column is shown before anybody has chosen columns.
enum class ColumnUse {
    Always,
    WithValues,   // once a cell has one
    WhereUnlike,  // if the cells of the run differ in it
    WhenTrained,
    OnRequest,
};

// Where a list of columns has it.
enum class ColumnGroup {
    Configuration,
    OtherRuns,  // there while runs are compared
    Speed,
    Quality,
    Memory,
    Result,
    Evidence,
    Samples,
};

// A column of the table of cells, from the number to its explanation. Pure functions: the model
// only hands them on.
struct CellColumn {
    using Cell = const core::CellSummary&;
    using Context = const CellContext&;

    const char* id;  // stable, for saved settings and tests
    bool number;     // right aligned, compared as number
    ColumnText title;
    ColumnText unit;                   // empty for texts and plain counts
    ColumnText explanation;            // of the column, in plain words
    QVariant (*value)(Cell, Context);  // raw, in the unit of the column; invalid if there is none
    QString (*text)(Cell, Context);    // for people; called only if there is a value
    QString (*detail)(Cell, Context);  // further sentences about this very number; may be null
    // What stands where there is no value, and why; may be null, and empty for the usual dash.
    QString (*missing)(Cell, Context) = nullptr;
    ColumnUse use = ColumnUse::Always;

    // Belongs to what one sees first of a table, where it is useful at all.
    [[nodiscard]] bool isFirstSight(Context context) const;
    // Also where there is little room.
    [[nodiscard]] bool isEssential(Context context) const;
    // Names the cell: where all cells have the same, it is said once.
    [[nodiscard]] bool isConfiguration() const;

    // Instead of value, text and detail: a metric of the registry, an axis without a column of its
    // own.
    const core::Metric* metric = nullptr;
    const core::AxisSpec* axis = nullptr;

    ColumnGroup group = ColumnGroup::Configuration;

    // Of a comparison with another run: the text where there is little room, and its verdict.
    QString (*brief)(Cell, Context) = nullptr;
    VerdictTone (*tone)(Cell, Context) = nullptr;
    // In what the runs differ that its verdicts compare; may be null.
    QString (*across)(Context) = nullptr;

    [[nodiscard]] QString heading(Context context) const;  // with its unit
    // Where no tooltip can be read: in copies and files.
    [[nodiscard]] QString fullHeading(Context context) const;
    // Where there is little room: "Speed-up", "SSIM", "MiB".
    [[nodiscard]] QString shortHeading(Context context) const;
    [[nodiscard]] QString about(Context context) const;
    [[nodiscard]] QVariant valueOf(Cell cell, Context context) const;
    [[nodiscard]] QString textOf(Cell cell, Context context) const;
    // The same where there is little room: "▼ 0.80×".
    [[nodiscard]] QString shortTextOf(Cell cell, Context context) const;
    // "19,233" in place of "19,233 ±0.1%".
    [[nodiscard]] QString terseTextOf(Cell cell, Context context) const;
    [[nodiscard]] QString detailOf(Cell cell, Context context) const;
};

}  // namespace qs::widgets
