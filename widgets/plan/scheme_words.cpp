#include "widgets/plan/scheme_words.h"

#include "core/base/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace qs::widgets {

namespace {

struct SchemeWords {
    Q_DECLARE_TR_FUNCTIONS(SchemeWords)
};

QString separator()
{
    return QStringLiteral(" · ");
}

// What differs; without what stands in the name, unless it is asked for.
QStringList changes(const core::Scheme& variant, const core::Scheme& of, bool withName)
{
    const core::ParameterValues values = parametersOf(variant);
    const core::ParameterValues before = parametersOf(of);
    QStringList parts;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const core::Parameter& parameter = variant->parameters[i];
        if (values[i] != before[i] && (withName || !parameter.inName))
            parts << QString::fromStdString(parameter.name) + QLatin1Char(' ') +
                         parameterText(values[i]);
    }
    return parts;
}

QString rangeHelp(const core::Parameter& parameter)
{
    const QString fallback = parameterText(parameter.fallback);
    if (!parameter.choices.empty()) {
        QStringList choices;
        for (const core::ParameterValue& choice : parameter.choices)
            choices << parameterText(choice);
        return SchemeWords::tr("One of %1; default %2.")
            .arg(choices.join(QStringLiteral(", ")), fallback);
    }
    if (std::holds_alternative<std::string>(parameter.fallback))
        return fallback.isEmpty() ? QString() : SchemeWords::tr("Default %1.").arg(fallback);
    const QString lowest = QString::fromStdString(core::formatExact(parameter.lowest));
    const QString highest = QString::fromStdString(core::formatExact(parameter.highest));
    return (std::holds_alternative<double>(parameter.fallback)
                ? SchemeWords::tr("Number from %1 to %2; default %3.")
                : SchemeWords::tr("Whole number from %1 to %2; default %3."))
        .arg(lowest, highest, fallback);
}

}  // namespace

core::ParameterValues parametersOf(const core::Scheme& scheme)
{
    core::ParameterValues values;
    for (const core::Parameter& each : scheme->parameters) {
        if (std::holds_alternative<std::int64_t>(each.fallback))
            values.emplace_back(scheme.whole(each.name));
        else if (std::holds_alternative<double>(each.fallback))
            values.emplace_back(scheme.real(each.name));
        else
            values.emplace_back(scheme.word(each.name));
    }
    return values;
}

QString parameterText(const core::ParameterValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return QString::number(*whole);
    if (const auto* real = std::get_if<double>(&value))
        return QString::fromStdString(core::formatExact(*real));
    return QString::fromStdString(std::get<std::string>(value));
}

QString changesText(const core::Scheme& variant, const core::Scheme& of)
{
    return changes(variant, of, true).join(separator());
}

QString schemeLabel(const core::Scheme& variant, const core::Scheme& of)
{
    // The name with what stands in it: all that comes before the first colon.
    const QString name = QString::fromStdString(variant.text()).section(QLatin1Char(':'), 0, 0);
    return (QStringList{name} + changes(variant, of, false)).join(separator());
}

QString schemeTip(const core::Scheme& scheme, const QString& reason)
{
    QString tip = QString::fromStdString(scheme.text()) + QLatin1Char('\n') +
                  QString::fromStdString(scheme->description);
    if (!reason.isEmpty())
        tip += QLatin1Char('\n') + SchemeWords::tr("Cannot run: %1").arg(reason);
    return tip;
}

QString parameterHelp(const core::Parameter& parameter)
{
    QString help = QString::fromStdString(parameter.description);
    if (!help.endsWith(QLatin1Char('.')))
        help += QLatin1Char('.');
    return (help + QLatin1Char(' ') + rangeHelp(parameter)).trimmed();
}

}  // namespace qs::widgets
