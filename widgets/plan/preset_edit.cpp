#include "widgets/plan/preset_edit.h"

#include "core/base/text_parts.h"
#include "core/model/family_registry.h"
#include "core/sweep/axis.h"
#include "core/sweep/cell_member.h"

#include <algorithm>

namespace qs::widgets {

namespace {

bool isLinked(const core::Preset& preset, const std::string& name)
{
    return std::any_of(preset.linked.begin(), preset.linked.end(), [&](const auto& group) {
        return std::find(group.begin(), group.end(), name) != group.end();
    });
}

core::Error refuse(const std::string& message)
{
    return {core::ErrorCode::InvalidArgument, message};
}

core::Result<std::vector<std::string>> valuesFromText(const std::string& name, const QString& text)
{
    std::vector<std::string> values;
    if (core::isWholeNumberAxis(name)) {
        QS_TRY(const QStringList numbers, numbersFromText(name, text));
        for (const QString& number : numbers)
            values.push_back(number.toStdString());
        return values;
    }
    for (const std::string& item : core::splitOutsideBraces(text.toStdString(), ',')) {
        QS_TRY(const std::vector<std::string> listed,
               core::listedValues(name, std::string(core::trimmed(item))));
        values.insert(values.end(), listed.begin(), listed.end());
    }
    return values;
}

std::string knownAxes()
{
    std::string known;
    for (const std::string& name : core::axisNames())
        known += (known.empty() ? "" : ", ") + name;
    return known;
}

}  // namespace

QStringList axisValues(const core::Preset& preset, const std::string& name)
{
    for (const core::Axis& axis : preset.axes) {
        if (axis.name != name)
            continue;
        QStringList values;
        for (const std::string& value : axis.values)
            values << QString::fromStdString(value);
        return values;
    }
    return {QString::fromStdString(core::memberText(preset.defaults, name))};
}

core::Sizes firstSizes(const core::Preset& preset)
{
    core::CellConfig cell = preset.defaults;
    for (const core::Axis& axis : preset.axes) {
        if (core::findKnownSize(axis.name) != nullptr && !axis.values.empty())
            static_cast<void>(core::setMember(cell, axis.name, axis.values.front()).ok());
    }
    return cell.sizes;
}

core::Status setAxisValues(core::Preset& preset, const std::string& name, const QStringList& values)
{
    QS_ASSERT(!values.isEmpty());
    core::Preset changed = preset;
    std::vector<std::string> texts;
    for (const QString& value : values) {
        QS_TRY(std::string text, core::normalValue(name, value.toStdString()));
        texts.push_back(std::move(text));
    }
    const auto axis = std::find_if(changed.axes.begin(), changed.axes.end(),
                                   [&](const core::Axis& each) { return each.name == name; });
    if (texts.size() == 1 && !isLinked(changed, name)) {
        QS_RETURN_IF_ERROR(core::setMember(changed.defaults, name, texts.front()));
        if (axis != changed.axes.end())
            changed.axes.erase(axis);
    } else if (axis != changed.axes.end()) {
        axis->values = std::move(texts);
    } else {
        changed.axes.push_back({name, std::move(texts)});
    }
    preset = std::move(changed);
    return {};
}

core::Preset inOneOrder(const core::Preset& preset)
{
    core::Preset ordered = preset;
    for (core::Axis& axis : ordered.axes) {
        if (!isLinked(preset, axis.name) && !core::isWholeNumberAxis(axis.name))
            std::sort(axis.values.begin(), axis.values.end());
        if (preset.mode == core::SweepMode::Cross)
            static_cast<void>(
                core::setMember(ordered.defaults, axis.name, axis.values.front()).ok());
    }
    return ordered;
}

core::Result<QStringList> numbersFromText(const std::string& name, const QString& text)
{
    QS_TRY(const std::vector<std::int64_t> numbers, core::expandRange(text.toStdString()));
    QStringList values;
    for (const std::int64_t number : numbers) {
        QS_TRY(const std::string value, core::normalValue(name, std::to_string(number)));
        values << QString::fromStdString(value);
    }
    return values;
}

QString rangeText(const QStringList& values)
{
    std::vector<std::int64_t> numbers;
    for (const QString& value : values)
        numbers.push_back(value.toLongLong());
    return QString::fromStdString(core::describeRange(numbers));
}

core::Result<core::Exclusion> exclusionFromText(const QString& match, const QString& reason)
{
    core::Exclusion exclusion;
    for (const QString& condition : match.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        if (condition.trimmed().isEmpty())
            continue;
        const std::string name = condition.section(QLatin1Char('='), 0, 0).trimmed().toStdString();
        if (!core::isAxisName(name))
            return refuse("\"" + name + "\" is not an axis; enter axis=values with one of " +
                          knownAxes());
        if (exclusion.match.contains(name))
            return refuse("\"" + name + "\" is given twice");
        QS_TRY(exclusion.match[name],
               valuesFromText(name, condition.section(QLatin1Char('='), 1).trimmed()));
    }
    if (exclusion.match.empty())
        return refuse("enter which cells, such as batch=64");
    exclusion.reason = reason.trimmed().toStdString();
    if (exclusion.reason.empty())
        return refuse("enter the reason for the exclusion");
    return exclusion;
}

QString exclusionText(const core::Exclusion& exclusion)
{
    QStringList conditions;
    for (const auto& [name, values] : exclusion.match) {
        QStringList texts;
        for (const std::string& value : values)
            texts << QString::fromStdString(value);
        conditions << QString::fromStdString(name) + QLatin1Char('=') +
                          (core::isWholeNumberAxis(name) ? rangeText(texts)
                                                         : texts.join(QLatin1Char(',')));
    }
    return conditions.join(QStringLiteral("; "));
}

}  // namespace qs::widgets
