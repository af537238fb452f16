#include "widgets/measured/measured_fact.h"

#include "widgets/models/number_text.h"

#include <QLocale>

namespace qs::widgets {

void addFact(std::vector<MeasuredFact>& facts, const QString& name, const QString& text,
             const QString& explanation)
{
    if (!text.isEmpty())
        facts.push_back({name, text, explanation});
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
