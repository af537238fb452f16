#include "widgets/measured/measured_fact.h"

#include <QLocale>

namespace qs::widgets {

void addFact(std::vector<MeasuredFact>& facts, const QString& name, const QString& text,
             const QString& explanation)
{
    if (!text.isEmpty())
        facts.push_back({name, text, explanation});
}

TimeUnit timeUnit(double seconds)
{
    if (seconds >= 1.0)
        return {1.0, MeasuredWords::tr("s")};
    if (seconds >= 1e-3)
        return {1e3, MeasuredWords::tr("ms")};
    return {1e6, MeasuredWords::tr("µs")};
}

QString durationText(double seconds, int digits)
{
    const TimeUnit unit = timeUnit(seconds);
    return QStringLiteral("%1 %2").arg(significantText(seconds * unit.perSecond, digits),
                                       unit.name);
}

QString countText(std::size_t count)
{
    return QLocale().toString(static_cast<qulonglong>(count));
}

QString percentText(double fraction, int digits)
{
    return MeasuredWords::tr("%1 %").arg(significantText(100.0 * fraction, digits));
}

}  // namespace qs::widgets
