#include "widgets/plan/preset_edit.h"

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

QString rangeText(const QStringList& values)
{
    std::vector<std::int64_t> numbers;
    for (const QString& value : values)
        numbers.push_back(value.toLongLong());
    return QString::fromStdString(core::describeRange(numbers));
}

}  // namespace qs::widgets
