#include "widgets/models/column_parts.h"

namespace qs::widgets {

namespace {

using Cell = CellColumn::Cell;
using Context = CellColumn::Context;
using Text = ColumnWords;

template <auto Member>
QVariant memoryValue(Cell cell, Context)
{
    return cell.measured ? optionalValue(cell.memory.*Member, 1.0 / kBytesPerGibibyte) : QVariant();
}

template <auto Member>
QString memoryText(Cell cell, Context)
{
    return gibibytesText(static_cast<double>(*(cell.memory.*Member)));
}

QVariant weightsValue(Cell cell, Context)
{
    if (cell.measured && cell.memory.weightsResident > 0)
        return static_cast<double>(cell.memory.weightsResident) / kBytesPerGibibyte;
    if (cell.cell != nullptr && cell.cell->weightBytes > 0)
        return static_cast<double>(cell.cell->weightBytes) / kBytesPerGibibyte;
    return {};
}

QString weightsDetail(Cell cell, Context)
{
    return cell.measured && cell.memory.weightsResident > 0
               ? Text::tr("Measured tensor by tensor.")
               : Text::tr("Expected from the plan; not measured yet.");
}

}  // namespace

std::vector<CellColumn> memoryColumns()
{
    using Figures = core::MemoryFigures;
    return {
        {"allocated_peak", true, QT_TRANSLATE_NOOP("CellColumns", "Allocated peak"), kGibibytes,
         QT_TRANSLATE_NOOP(
             "CellColumns",
             "The most that tensors held at once, from compiling to the last sample."),
         memoryValue<&Figures::allocatedPeak>, memoryText<&Figures::allocatedPeak>, nullptr},
        {"reserved_peak", true, QT_TRANSLATE_NOOP("CellColumns", "Reserved peak"), kGibibytes,
         QT_TRANSLATE_NOOP("CellColumns",
                           "The most that the allocator held, with the pools of CUDA graphs."),
         memoryValue<&Figures::reservedPeak>, memoryText<&Figures::reservedPeak>, nullptr},
        {"process_peak", true, QT_TRANSLATE_NOOP("CellColumns", "Process peak"), kGibibytes,
         QT_TRANSLATE_NOOP(
             "CellColumns",
             "GPU: the most that was used on the device. CPU: resident memory of the process."),
         memoryValue<&Figures::processPeak>, memoryText<&Figures::processPeak>, nullptr},
        {"weights", true, QT_TRANSLATE_NOOP("CellColumns", "Weights"), kGibibytes,
         QT_TRANSLATE_NOOP("CellColumns",
                           "The weights as they lie in memory under this precision."),
         weightsValue,
         [](Cell cell, Context context) {
             return significantText(weightsValue(cell, context).toDouble(), 4);
         },
         weightsDetail},
    };
}

}  // namespace qs::widgets
