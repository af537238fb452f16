#include "widgets/models/short_names.h"

namespace qs::widgets {

namespace {

const QLatin1Char kBetweenOptions(':');

// Without the options that all of those with options have.
QStringList withoutSharedOptions(const QStringList& precisions)
{
    QStringList shared;
    int withOptions = 0;
    for (const QString& precision : precisions) {
        const QStringList options = precision.split(kBetweenOptions).mid(1);
        if (options.isEmpty())
            continue;
        if (withOptions++ == 0)
            shared = options;
        shared.removeIf([&](const QString& option) { return !options.contains(option); });
    }
    if (withOptions < 2)
        return precisions;
    QStringList shorter;
    for (const QString& precision : precisions) {
        QStringList parts = precision.split(kBetweenOptions);
        parts.removeIf([&](const QString& part) { return shared.contains(part); });
        shorter << parts.join(kBetweenOptions);
    }
    return shorter;
}

}  // namespace

QStringList shortNames(const QStringList& names)
{
    QStringList precisions;
    QStringList rests;
    for (const QString& name : names) {
        const qsizetype end = name.indexOf(QStringLiteral(" · "));
        precisions << name.left(end);
        rests << (end < 0 ? QString() : name.mid(end));
    }
    precisions = withoutSharedOptions(precisions);
    QStringList shorter;
    for (qsizetype i = 0; i < names.size(); ++i)
        shorter << precisions[i] + rests[i];
    QStringList distinct = shorter;
    return distinct.removeDuplicates() == 0 ? shorter : names;
}

}  // namespace qs::widgets
