#pragma once

#include "core/sweep/preset.h"

#include <QString>
#include <QStringList>

namespace qs::widgets {

// The values of one member over the sweep: those of its axis, or the one value of the default cell.
[[nodiscard]] QStringList axisValues(const core::Preset& preset, const std::string& name);

// Those of the first cell; a value that a size cannot have is left out.
[[nodiscard]] core::Sizes firstSizes(const core::Preset& preset);

// Makes `values` the values of that member. One value becomes that of every cell, several an axis.
// Axes that are linked stay axes: planning says so when their lengths no longer agree. `values`
// must not be empty; values that the member cannot have are refused and nothing changes.
[[nodiscard]] core::Status setAxisValues(core::Preset& preset, const std::string& name,
                                         const QStringList& values);

// The same sweep with what says nothing of it in one order: editors have the values of an axis in
// an order of their own, and whatever value of an axis the default cell has, it counts only where
// one axis is swept at a time. Linked axes, and numbers, are in the order that a person gave them.
[[nodiscard]] core::Preset inOneOrder(const core::Preset& preset);

// The whole numbers that a person writes for that member, in range dialect: "1, 4", "1..64 pow2".
// Seeds may be zero, and larger than sizes.
[[nodiscard]] core::Result<QStringList> numbersFromText(const std::string& name,
                                                        const QString& text);

// The text of whole numbers in range dialect, as the line edits show it: "1, 4, 16", "1..64 pow2".
[[nodiscard]] QString rangeText(const QStringList& values);

// What a person writes to leave cells out: "precision=fp32,tf32; batch=32..64 pow2". The error says
// what is wrong or still missing; a reason is asked for last.
[[nodiscard]] core::Result<core::Exclusion> exclusionFromText(const QString& match,
                                                              const QString& reason);
// The conditions in that form.
[[nodiscard]] QString exclusionText(const core::Exclusion& exclusion);

}  // namespace qs::widgets
