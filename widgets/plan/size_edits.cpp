#include "widgets/plan/size_edits.h"

#include "core/model/family_registry.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/preset_axes.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/range_edit.h"

#include <QFormLayout>
#include <QLineEdit>

#include <algorithm>

namespace qs::widgets {

namespace {

QString labelOf(const core::AxisSpec& axis, const QString& title, bool onRequest)
{
    if (onRequest)
        return SizeEdits::tr("%1 (0: off)").arg(title);
    return axis.unit == "px" ? SizeEdits::tr("&%1 (px)").arg(title) : title;
}

}  // namespace

SizeEdits::SizeEdits(SizeUse use, QWidget* parent) : QWidget(parent), m_form(new QFormLayout(this))
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    m_form->setVerticalSpacing(2);
    for (const core::AxisSpec& axis : core::openAxes()) {
        const core::SizeSpec* size = core::findKnownSize(axis.name);
        const bool onRequest = size != nullptr && size->isOffUnlessAsked();
        if (onRequest != (use == SizeUse::OnRequest))
            continue;
        const QString name = QString::fromStdString(axis.name);
        const QString title = axisTitle(name);
        auto* edit = new RangeEdit(axis.name, this);
        edit->setObjectName(name + QStringLiteral("Edit"));
        edit->lineEdit()->setAccessibleName(title);
        edit->setToolTip(plainTip(QString::fromStdString(axis.description)));
        m_form->addRow(labelOf(axis, title, onRequest), edit);
        connect(edit, &RangeEdit::valuesEdited, this,
                [this, name, title](const QStringList& values) {
                    Q_EMIT valuesEdited(name, values, title.toLower());
                });
        connect(edit, &RangeEdit::validityChanged, this, &SizeEdits::validityChanged);
        m_lines.push_back({axis.name, size == nullptr ? QString() : QString::number(size->fallback),
                           edit, size != nullptr});
    }
    setSizes({std::string(core::kImageSize)});
}

void SizeEdits::setPreset(const core::Preset& preset)
{
    for (Line& line : m_lines) {
        line.edit->setValues(valuesOf(preset, line));
        line.swept = core::findAxis(preset, line.name) != nullptr;
    }
    showLines();
}

QStringList SizeEdits::valuesOf(const core::Preset& preset, const Line& line)
{
    const QStringList values = axisValues(preset, line.name);
    return values == QStringList{QString()} ? QStringList{line.fallback} : values;
}

void SizeEdits::setSizes(const std::vector<std::string>& names)
{
    m_ofModel = names;
    showLines();
}

void SizeEdits::showLines()
{
    for (const Line& line : m_lines) {
        const bool has =
            std::find(m_ofModel.begin(), m_ofModel.end(), line.name) != m_ofModel.end();
        m_form->setRowVisible(line.edit, !line.ofModels || line.swept || has);
    }
}

void SizeEdits::setReasons(const ReasonTexts& reasons)
{
    for (const Line& line : m_lines) {
        const auto found = reasons.find(line.name);
        line.edit->setReasons(found == reasons.end() ? ReasonTexts::mapped_type{} : found->second);
    }
}

QStringList SizeEdits::unusual(const core::Preset& preset) const
{
    QStringList texts;
    for (const Line& line : m_lines) {
        const QStringList values = valuesOf(preset, line);
        if (m_form->isRowVisible(line.edit) && values != QStringList{line.fallback})
            texts << tr("%1 %2").arg(axisTitle(QString::fromStdString(line.name)).toLower(),
                                     rangeText(values));
    }
    return texts;
}

bool SizeEdits::isValid() const
{
    return std::all_of(m_lines.begin(), m_lines.end(),
                       [](const Line& line) { return line.edit->isValid(); });
}

}  // namespace qs::widgets

#include "moc_size_edits.cpp"
