#include "widgets/models/column_parts.h"

namespace qs::widgets {

namespace {

using Cell = CellColumn::Cell;
using Context = CellColumn::Context;
using Text = ColumnWords;

// Of all memory columns, so that they can be compared.
double perByte(Context context)
{
    return context.memoryInMebibytes ? 1.0 / kBytesPerMebibyte : 1.0 / kBytesPerGibibyte;
}

QString memoryUnit(Context context)
{
    return context.memoryInMebibytes ? QStringLiteral("MiB") : QStringLiteral("GiB");
}

template <auto Member>
QVariant memoryValue(Cell cell, Context context)
{
    return cell.measured ? optionalValue(cell.memory.*Member, perByte(context)) : QVariant();
}

template <std::size_t Stage>
QVariant stagePeak(Cell cell, Context context)
{
    const auto place = stageOf(cell, context, Stage);
    return place && *place < cell.stagePeakBytes.size()
               ? optionalValue(cell.stagePeakBytes[*place], perByte(context))
               : QVariant();
}

template <std::size_t Stage>
QString stagePeakTitle(Context context)
{
    return Text::tr("%1 peak").arg(stageName(context, Stage));
}

template <std::size_t Stage>
QString stagePeakText(Cell cell, Context context)
{
    return significantText(stagePeak<Stage>(cell, context).toDouble(), 4);
}

constexpr const char* kStagePeakWords = QT_TRANSLATE_NOOP(
    "CellColumns",
    "The most that was in use while this stage ran once, with the weights of all stages: held by "
    "tensors on a GPU, resident memory of the process on a CPU.");

QVariant weightsValue(Cell cell, Context context)
{
    if (cell.measured && cell.memory.weightsResident > 0)
        return static_cast<double>(cell.memory.weightsResident) * perByte(context);
    if (cell.cell != nullptr && cell.cell->weightBytes > 0)
        return static_cast<double>(cell.cell->weightBytes) * perByte(context);
    return {};
}

QString weightsDetail(Cell cell, Context)
{
    return cell.measured && cell.memory.weightsResident > 0
               ? Text::tr("Measured tensor by tensor.")
               : Text::tr("Expected from the plan; not measured yet.");
}

QVariant workspaceValue(Cell cell, Context context)
{
    return cell.measured ? optionalValue(core::workspaceBytes(cell.memory), perByte(context))
                         : QVariant();
}

QVariant weightsFileValue(Cell cell, Context context)
{
    return optionalValue(cell.weightsFileBytes, perByte(context));
}

template <QVariant (*Value)(Cell, Context)>
QString fourDigits(Cell cell, Context context)
{
    return significantText(Value(cell, context).toDouble(), 4);
}

}  // namespace

constexpr CellColumn kMemoryColumns[] = {
    {"allocated_peak", true, QT_TRANSLATE_NOOP("CellColumns", "Allocated peak"), memoryUnit,
     QT_TRANSLATE_NOOP("CellColumns", "Peak held by tensors, from compiling to the last sample."),
     memoryValue<&core::MemoryFigures::allocatedPeak>,
     fourDigits<memoryValue<&core::MemoryFigures::allocatedPeak>>, nullptr, nullptr,
     ColumnUse::WithValues},
    {"first_stage_peak", true, stagePeakTitle<0>, memoryUnit, kStagePeakWords, stagePeak<0>,
     stagePeakText<0>, nullptr, nullptr, ColumnUse::WithValues},
    {"second_stage_peak", true, stagePeakTitle<1>, memoryUnit, kStagePeakWords, stagePeak<1>,
     stagePeakText<1>, nullptr, nullptr, ColumnUse::WithValues},
    {"reserved_peak", true, QT_TRANSLATE_NOOP("CellColumns", "Reserved peak"), memoryUnit,
     QT_TRANSLATE_NOOP("CellColumns",
                       "Peak held by the allocator, including the pools of CUDA graphs."),
     memoryValue<&core::MemoryFigures::reservedPeak>,
     fourDigits<memoryValue<&core::MemoryFigures::reservedPeak>>, nullptr},
    {"graph_pool", true, QT_TRANSLATE_NOOP("CellColumns", "CUDA graphs"), memoryUnit,
     QT_TRANSLATE_NOOP("CellColumns",
                       "Held for the CUDA graphs of the cell, a part of the reserved peak."),
     memoryValue<&core::MemoryFigures::graphPool>,
     fourDigits<memoryValue<&core::MemoryFigures::graphPool>>, nullptr, nullptr,
     ColumnUse::WithValues},
    {"process_peak", true, QT_TRANSLATE_NOOP("CellColumns", "Process peak"), memoryUnit,
     QT_TRANSLATE_NOOP("CellColumns",
                       "GPU: peak that the driver counts for the worker, or for the whole GPU if "
                       "not reported (see note). CPU: resident memory."),
     memoryValue<&core::MemoryFigures::processPeak>,
     fourDigits<memoryValue<&core::MemoryFigures::processPeak>>, nullptr},
    {"weights", true, QT_TRANSLATE_NOOP("CellColumns", "Weights"), memoryUnit,
     QT_TRANSLATE_NOOP("CellColumns", "Weights in memory with this precision."), weightsValue,
     fourDigits<weightsValue>, weightsDetail},
    {"weights_file", true, QT_TRANSLATE_NOOP("CellColumns", "Weights on disk"), memoryUnit,
     QT_TRANSLATE_NOOP("CellColumns", "Files of the weights; none if generated."), weightsFileValue,
     fourDigits<weightsFileValue>, nullptr, nullptr, ColumnUse::WithValues},
    {"workspace", true, QT_TRANSLATE_NOOP("CellColumns", "Workspace"), memoryUnit,
     QT_TRANSLATE_NOOP("CellColumns",
                       "Allocated peak minus weights: activations, inputs, outputs, scratch."),
     workspaceValue, fourDigits<workspaceValue>, nullptr, nullptr, ColumnUse::WithValues},
};

std::span<const CellColumn> memoryColumns()
{
    return kMemoryColumns;
}

}  // namespace qs::widgets
