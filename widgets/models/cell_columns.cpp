#include "widgets/models/cell_columns.h"

#include "core/model/family_registry.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/gate_text.h"
#include "core/report/words/note_text.h"
#include "widgets/models/column_parts.h"

#include <algorithm>
#include <iterator>

namespace qs::widgets {

namespace {

using Cell = CellColumn::Cell;
using Context = CellColumn::Context;
using Text = ColumnWords;

// A number of a configuration; there is none without the plan's cell.
template <typename Read>
QVariant ofConfig(Cell cell, Read read)
{
    return cell.cell == nullptr ? QVariant() : QVariant(read(cell.cell->config));
}

QVariant textValue(const QString& text)
{
    return text.isEmpty() ? QVariant() : QVariant(text);
}

QString askedDetail(Cell cell, Context)
{
    if (cell.cell == nullptr)
        return {};
    QString text = Text::tr("Requested: %1.")
                       .arg(QString::fromStdString(core::precisionText(cell.cell->config)));
    if (ranSomethingElse(cell))
        text = Text::tr("Mismatch: this is not what was requested.") + QLatin1Char(' ') + text;
    for (const std::string& note : core::noteTexts(cell.notes))
        text += QLatin1Char('\n') + QString::fromStdString(note);
    return text;
}

QVariant statusValue(Cell cell, Context)
{
    return statusText(cell);
}

QVariant precisionValue(Cell cell, Context)
{
    if (cell.cell == nullptr)
        return {};
    const QString text = QString::fromStdString(core::precisionText(cell.cell->config));
    return cell.cell->rerun == 0 ? text : Text::tr("%1 (again)").arg(text);
}

QVariant roleValue(Cell cell, Context)
{
    return cell.cell == nullptr ? QVariant() : QVariant(roleText(cell.cell->role));
}

QVariant layersValue(Cell cell, Context)
{
    return ofConfig(cell, [](const auto& config) { return QString::fromStdString(config.layers); });
}

QVariant compileValue(Cell cell, Context)
{
    return ofConfig(cell, [](const auto& config) { return compileText(config.compile); });
}

QVariant batchValue(Cell cell, Context)
{
    return ofConfig(cell, [](const auto& config) { return qlonglong{config.batch}; });
}

QVariant executedValue(Cell cell, Context)
{
    return textValue(QString::fromStdString(core::executedText(cell.executed)));
}

QVariant attentionValue(Cell cell, Context)
{
    return textValue(QString::fromStdString(cell.attention));
}

QVariant reasonValue(Cell cell, Context)
{
    return textValue(cellReason(cell));
}

QVariant modelValue(Cell cell, Context)
{
    return ofConfig(cell, [](const auto& config) { return QString::fromStdString(config.model); });
}

QVariant deviceValue(Cell cell, Context)
{
    return ofConfig(cell, [](const auto& config) { return QString::fromStdString(config.device); });
}

QVariant gatesValue(Cell cell, Context context)
{
    const core::CellGates* gates = context.gatesOf(cell);
    return gates == nullptr ? QVariant()
                            : QVariant(QString::fromStdString(core::gatesText(*gates)));
}

// All of them, one a line.
QString gatesDetail(Cell cell, Context context)
{
    QStringList lines;
    if (const core::CellGates* gates = context.gatesOf(cell)) {
        for (const core::GateResult& result : *gates) {
            const QString text = QString::fromStdString(core::gateResultText(result));
            switch (result.verdict) {
            case core::GateVerdict::Pass:
                lines << Text::tr("Passes: %1").arg(text);
                break;
            case core::GateVerdict::Fail:
                lines << Text::tr("Fails: %1").arg(text);
                break;
            case core::GateVerdict::Undecided:
                lines << (result.isUpperLimit ? Text::tr("Undecided: %1")
                                              : Text::tr("Undecided: %1 (add repeats)"))
                             .arg(text);
                break;
            case core::GateVerdict::NotTestable:
                lines << Text::tr("Not testable: %1").arg(text);
                break;
            }
        }
    }
    return lines.join(QLatin1Char('\n'));
}

constexpr CellColumn kConfigurationColumns[] = {
    {"precision", false, QT_TRANSLATE_NOOP("CellColumns", "Precision"), "",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "Requested scheme, one for all stages or one per stage. What ran is in \"Executed\"."),
     precisionValue, asText<precisionValue>, nullptr},
    {"layers", false, QT_TRANSLATE_NOOP("CellColumns", "Layers"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Layers that the scheme applies to."), layersValue,
     asText<layersValue>, nullptr, nullptr, ColumnUse::WhereUnlike},
    {"compile", false, QT_TRANSLATE_NOOP("CellColumns", "Compile"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Compile mode: eager, CUDA graph or a compiler."),
     compileValue, asText<compileValue>, nullptr},
    {"model", false, QT_TRANSLATE_NOOP("CellColumns", "Model"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Model of the cell."), modelValue, asText<modelValue>,
     nullptr, nullptr, ColumnUse::WhereUnlike},
    {"device", false, QT_TRANSLATE_NOOP("CellColumns", "Device"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Device of the cell."), deviceValue, asText<deviceValue>,
     nullptr, nullptr, ColumnUse::WhereUnlike},
    {"batch", true, QT_TRANSLATE_NOOP("CellColumns", "Batch"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Samples per pass: images, or sequences."), batchValue,
     asText<batchValue>, nullptr},
};

// What became of the cell.
constexpr CellColumn kResultColumns[] = {
    {"status", false, QT_TRANSLATE_NOOP("CellColumns", "Status"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Status of the worst repeat."), statusValue,
     asText<statusValue>, [](Cell cell, Context) { return cellReason(cell); }},
    {"gates", false, QT_TRANSLATE_NOOP("CellColumns", "Gates"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Pass/fail criteria of the sweep and the result for this cell."),
     gatesValue, asText<gatesValue>, gatesDetail, nullptr, ColumnUse::WithValues},
};

constexpr CellColumn kEvidenceColumns[] = {
    {"executed", false, QT_TRANSLATE_NOOP("CellColumns", "Executed"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Counted in the operations that ran."), executedValue,
     asText<executedValue>, askedDetail},
    {"executed_attention", false, QT_TRANSLATE_NOOP("CellColumns", "Executed attention"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Attention kernel that ran."), attentionValue,
     asText<attentionValue>,
     [](Cell cell, Context) {
         return cell.cell == nullptr
                    ? QString()
                    : Text::tr("Requested: %1.")
                          .arg(QString::fromStdString(cell.cell->config.attention));
     }},
    {"reason", false, QT_TRANSLATE_NOOP("CellColumns", "Reason"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Why there is no result, or why it has a warning."),
     reasonValue, asText<reasonValue>, nullptr},
    {"role", false, QT_TRANSLATE_NOOP("CellColumns", "Role"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Why the cell is in the plan: swept, or added for comparison."),
     roleValue, asText<roleValue>, nullptr, nullptr, ColumnUse::WhereUnlike},
};

// Metrics that need no words of their own.
std::vector<CellColumn> metricColumns(const std::vector<CellColumn>& others)
{
    std::vector<CellColumn> columns;
    const auto& distances = core::metricRegistry();
    for (const core::Metric& metric : core::metricRegistry().metrics()) {
        if (std::any_of(others.begin(), others.end(),
                        [&](const CellColumn& each) { return metric.name == each.id; }))
            continue;
        const core::OutputMetric* output = distances.findOutput(metric.outputMetric);
        // Of an output metric the mean; the worst only where verdicts are made of it.
        const bool shown = output == nullptr ? metric.needsTraining || metric.comparesOutputs
                                             : output->inTables &&
                                                   (!metric.worst || !output->isDistanceOf.empty());
        columns.push_back({.id = metric.name.c_str(),
                           .number = true,
                           .title = "",
                           .unit = "",
                           .explanation = "",
                           .value = nullptr,
                           .text = nullptr,
                           .detail = nullptr,
                           .use = shown ? ColumnUse::WithValues : ColumnUse::OnRequest,
                           .metric = &metric});
    }
    return columns;
}

bool hasOwnColumn(const core::AxisSpec& axis)
{
    return std::any_of(std::begin(kConfigurationColumns), std::end(kConfigurationColumns),
                       [&](const CellColumn& each) { return axis.name == each.id; });
}

// Of all other axes of a sweep. What families call their sizes, and what a program added, is said
// of all cells where they are alike.
std::vector<CellColumn> axisColumns()
{
    std::vector<CellColumn> columns;
    const auto& open = core::openAxes();
    for (const core::AxisSpec& axis : core::axisSpecs()) {
        if (hasOwnColumn(axis))
            continue;
        const bool isOpen = std::any_of(open.begin(), open.end(),
                                        [&](const auto& each) { return each.name == axis.name; });
        columns.push_back({.id = axis.name.c_str(),
                           .number = axis.wholeNumber,
                           .title = "",
                           .unit = "",
                           .explanation = "",
                           .value = nullptr,
                           .text = nullptr,
                           .detail = nullptr,
                           .use = isOpen ? ColumnUse::WithValues : ColumnUse::WhereUnlike,
                           .axis = &axis});
    }
    return columns;
}

std::vector<CellColumn> makeColumns()
{
    std::vector<CellColumn> own;
    for (const std::span<const CellColumn> part :
         {speedColumns(), memoryColumns(), qualityColumns(),
          std::span<const CellColumn>(kEvidenceColumns), sampleColumns()})
        own.insert(own.end(), part.begin(), part.end());
    std::vector<CellColumn> columns(std::begin(kConfigurationColumns),
                                    std::end(kConfigurationColumns));
    const auto add = [&](const auto& some, ColumnGroup group) {
        for (CellColumn column : some) {
            column.group = group;
            columns.push_back(column);
        }
    };
    add(axisColumns(), ColumnGroup::Configuration);
    // The same figure of other runs is read beside that of this one.
    const std::span<const CellColumn> speed = speedColumns();
    add(speed.first(1), ColumnGroup::Speed);
    add(comparedColumns(), ColumnGroup::OtherRuns);
    add(speed.subspan(1), ColumnGroup::Speed);
    add(metricColumns(own), ColumnGroup::Quality);
    add(qualityColumns(), ColumnGroup::Quality);
    add(memoryColumns(), ColumnGroup::Memory);
    add(std::span<const CellColumn>(kResultColumns), ColumnGroup::Result);
    add(std::span<const CellColumn>(kEvidenceColumns), ColumnGroup::Evidence);
    add(sampleColumns(), ColumnGroup::Samples);
    return columns;
}

}  // namespace

const std::vector<CellColumn>& cellColumns()
{
    static const std::vector<CellColumn> kColumns = makeColumns();
    return kColumns;
}

int columnOf(std::string_view id)
{
    const auto& columns = cellColumns();
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const CellColumn& column) { return column.id == id; });
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

std::vector<int> columnsOf(ColumnGroup group)
{
    std::vector<int> found;
    const auto& columns = cellColumns();
    for (std::size_t place = 0; place < columns.size(); ++place) {
        if (columns[place].group == group)
            found.push_back(static_cast<int>(place));
    }
    return found;
}

}  // namespace qs::widgets
