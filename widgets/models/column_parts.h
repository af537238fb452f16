#pragma once

#include "widgets/models/cell_column.h"
#include "widgets/models/number_text.h"

#include <QLocale>

#include <optional>
#include <span>
#include <string>

// What the files of columns share; nobody else includes it.
namespace qs::widgets {

[[nodiscard]] std::span<const CellColumn> speedColumns();
[[nodiscard]] std::span<const CellColumn> comparedColumns();
[[nodiscard]] std::span<const CellColumn> memoryColumns();
[[nodiscard]] std::span<const CellColumn> qualityColumns();
[[nodiscard]] std::span<const CellColumn> sampleColumns();

inline constexpr const char* kMilliseconds = "ms";

[[nodiscard]] inline QVariant measuredOnly(CellColumn::Cell cell, double value)
{
    return cell.measured ? QVariant(value) : QVariant();
}

template <typename Number>
[[nodiscard]] QVariant optionalValue(const std::optional<Number>& value, double factor = 1.0)
{
    return value ? QVariant(static_cast<double>(*value) * factor) : QVariant();
}

// Place of the context's stage number `stage` in this cell, by name: a cell of another model may
// have other stages in this place.
[[nodiscard]] inline std::optional<std::size_t>
stageOf(CellColumn::Cell cell, CellColumn::Context context, std::size_t stage)
{
    for (std::size_t i = 0; i < cell.stageNames.size(); ++i) {
        if (stage < context.stages.size() &&
            QString::fromStdString(cell.stageNames[i]) == context.stages[stage])
            return i;
    }
    return std::nullopt;
}

// "Encoder": the name of a stage as the beginning of a title.
[[nodiscard]] inline QString stageName(CellColumn::Context context, std::size_t stage)
{
    const QString name = stage < context.stages.size() ? context.stages[stage]
                                                       : (stage == 0 ? ColumnWords::tr("encoder")
                                                                     : ColumnWords::tr("decoder"));
    return name.left(1).toUpper() + name.mid(1);
}

// The text of a column whose value is a text or a whole number already.
template <QVariant (*Value)(CellColumn::Cell, CellColumn::Context)>
[[nodiscard]] QString asText(CellColumn::Cell cell, CellColumn::Context context)
{
    const QVariant value = Value(cell, context);
    return value.userType() == QMetaType::LongLong ? QLocale().toString(value.toLongLong())
                                                   : value.toString();
}

}  // namespace qs::widgets
