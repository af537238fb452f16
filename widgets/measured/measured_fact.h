#pragma once

#include "widgets/models/number_text.h"

#include <QCoreApplication>
#include <QString>

#include <cstddef>
#include <vector>

namespace qs::widgets {

// One line about a measurement, and what it means to whoever does not measure for a living.
struct MeasuredFact {
    QString name;
    QString text;
    QString explanation;
};
// A line that has nothing to say is left out.
void addFact(std::vector<MeasuredFact>& facts, const QString& name, const QString& text,
             const QString& explanation);

// The translations of all lines.
struct MeasuredWords {
    Q_DECLARE_TR_FUNCTIONS(MeasuredText)
};
// In which times of this size are read best.
[[nodiscard]] TimeUnit timeUnit(double seconds);
// "4.03 ms" with so many significant digits.
[[nodiscard]] QString durationText(double seconds, int digits);
[[nodiscard]] QString countText(std::size_t count);
// Of a fraction of one.
[[nodiscard]] QString percentText(double fraction, int digits);

}  // namespace qs::widgets
