#include "widgets/models/cell_columns.h"

#include "core/report/words/evidence_text.h"
#include "core/report/words/gate_text.h"
#include "core/report/words/note_text.h"
#include "widgets/models/column_parts.h"

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
    QString text = Text::tr("Asked for: %1.")
                       .arg(QString::fromStdString(core::precisionText(cell.cell->config)));
    if (ranSomethingElse(cell))
        text = Text::tr("This is not what was asked for.") + QLatin1Char(' ') + text;
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

QVariant sizeValue(Cell cell, Context)
{
    return ofConfig(cell, [](const auto& config) { return qlonglong{config.imageSize}; });
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
    return textValue(reasonText(cell));
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
                lines << Text::tr("Undecided, more repeats would decide it: %1").arg(text);
                break;
            case core::GateVerdict::NotTestable:
                lines << Text::tr("Not testable here: %1").arg(text);
                break;
            }
        }
    }
    return lines.join(QLatin1Char('\n'));
}

constexpr CellColumn kConfigurationColumns[] = {
    {"status", false, QT_TRANSLATE_NOOP("CellColumns", "Status"), "",
     QT_TRANSLATE_NOOP("CellColumns", "How the worst repeat of the cell ended."), statusValue,
     asText<statusValue>, [](Cell cell, Context) { return reasonText(cell); }},
    {"precision", false, QT_TRANSLATE_NOOP("CellColumns", "Precision"), "",
     QT_TRANSLATE_NOOP(
         "CellColumns",
         "The scheme that was asked for, one for all stages or one per stage. What really "
         "ran stands under \"What ran\"."),
     precisionValue, asText<precisionValue>, nullptr},
    {"layers", false, QT_TRANSLATE_NOOP("CellColumns", "Layers"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Which linear layers the scheme applies to."), layersValue,
     asText<layersValue>, nullptr},
    {"compile", false, QT_TRANSLATE_NOOP("CellColumns", "Compile"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "How the program was made to run: eager, a CUDA graph, or a compiler."),
     compileValue, asText<compileValue>, nullptr},
    {"batch", true, QT_TRANSLATE_NOOP("CellColumns", "Batch"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Pictures in one pass."), batchValue, asText<batchValue>,
     nullptr},
    {"image_size", true, QT_TRANSLATE_NOOP("CellColumns", "Size"), "px",
     QT_TRANSLATE_NOOP("CellColumns", "Width and height of a picture."), sizeValue,
     asText<sizeValue>, nullptr},
    {"gates", false, QT_TRANSLATE_NOOP("CellColumns", "Gates"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "What the sweep expects of its cells, and whether this one keeps it."),
     gatesValue, asText<gatesValue>, gatesDetail},
};

constexpr CellColumn kEvidenceColumns[] = {
    {"executed", false, QT_TRANSLATE_NOOP("CellColumns", "What ran"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Counted in the operations that really ran."), executedValue,
     asText<executedValue>, askedDetail},
    {"attention", false, QT_TRANSLATE_NOOP("CellColumns", "Attention"), "",
     QT_TRANSLATE_NOOP("CellColumns", "The attention kernel that ran."), attentionValue,
     asText<attentionValue>,
     [](Cell cell, Context) {
         return cell.cell == nullptr
                    ? QString()
                    : Text::tr("Asked for: %1.")
                          .arg(QString::fromStdString(cell.cell->config.attention));
     }},
    {"reason", false, QT_TRANSLATE_NOOP("CellColumns", "Reason"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Why there is no result, or why it must be read with care."),
     reasonValue, asText<reasonValue>, nullptr},
    {"model", false, QT_TRANSLATE_NOOP("CellColumns", "Model"), "",
     QT_TRANSLATE_NOOP("CellColumns", "The model of the cell."), modelValue, asText<modelValue>,
     nullptr},
    {"role", false, QT_TRANSLATE_NOOP("CellColumns", "Role"), "",
     QT_TRANSLATE_NOOP("CellColumns",
                       "Why the cell is in the plan: asked for by the sweep, or added "
                       "for comparing."),
     roleValue, asText<roleValue>, nullptr},
    {"device", false, QT_TRANSLATE_NOOP("CellColumns", "Device"), "",
     QT_TRANSLATE_NOOP("CellColumns", "Where it ran."), deviceValue, asText<deviceValue>, nullptr},
};

}  // namespace

const std::vector<CellColumn>& cellColumns()
{
    static const std::vector<CellColumn> kColumns = [] {
        std::vector<CellColumn> columns;
        for (const std::span<const CellColumn> part :
             {std::span<const CellColumn>(kConfigurationColumns), speedColumns(), memoryColumns(),
              qualityColumns(), std::span<const CellColumn>(kEvidenceColumns), sampleColumns()})
            columns.insert(columns.end(), part.begin(), part.end());
        return columns;
    }();
    return kColumns;
}

}  // namespace qs::widgets
