#include "widgets/plan/combination_edit.h"

#include "widgets/models/number_text.h"
#include "widgets/plan/exclusion_edit.h"
#include "widgets/plan/link_edit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLocale>
#include <QSignalBlocker>

namespace qs::widgets {

CombinationEdit::CombinationEdit(QWidget* parent)
    : QWidget(parent),
      m_mode(new QComboBox(this)),
      m_appendDefault(new QCheckBox(tr("Default cell at the end"), this)),
      m_links(new LinkEdit(this)),
      m_exclusions(new ExclusionEdit(this))
{
    buildMode();
    m_appendDefault->setObjectName(QStringLiteral("appendDefaultBox"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(2);
    form->addRow(m_mode);
    form->addRow(m_appendDefault);
    form->addRow(tr("Advance together"), m_links);
    form->addRow(tr("Excl&ude"), m_exclusions);
    connect(m_appendDefault, &QCheckBox::toggled, this, &CombinationEdit::appendDefaultEdited);
    connect(m_links, &LinkEdit::linkedEdited, this, &CombinationEdit::linkedEdited);
    connect(m_exclusions, &ExclusionEdit::exclusionsEdited, this,
            &CombinationEdit::exclusionsEdited);
    showDefaultCell(core::SweepMode::Cross);
}

void CombinationEdit::buildMode()
{
    m_mode->setObjectName(QStringLiteral("sweepMode"));
    m_mode->addItem(tr("Every combination"), QVariant::fromValue(core::SweepMode::Cross));
    m_mode->addItem(tr("One axis at a time"), QVariant::fromValue(core::SweepMode::OneAtATime));
    m_mode->setItemData(0, tr("Combine all values of all axes"), Qt::ToolTipRole);
    m_mode->setItemData(1, tr("Vary each axis alone; the others keep their defaults"),
                        Qt::ToolTipRole);
    m_mode->setAccessibleName(tr("How axes are combined"));
    m_mode->setToolTip(tr("Combine all values of all axes, or vary one axis at a time"));
    connect(m_mode, &QComboBox::activated, this, [this] {
        const auto mode = m_mode->currentData().value<core::SweepMode>();
        showDefaultCell(mode);
        Q_EMIT modeEdited(mode);
    });
}

void CombinationEdit::showDefaultCell(core::SweepMode mode)
{
    const bool matters = mode == core::SweepMode::OneAtATime;
    m_appendDefault->setEnabled(matters);
    m_appendDefault->setToolTip(
        matters ? tr("Also run the cell with all defaults, if no axis contains it")
                : tr("Applies only when one axis is varied at a time"));
    m_appendDefault->setAccessibleDescription(m_appendDefault->toolTip());
}

void CombinationEdit::setPreset(const core::Preset& preset)
{
    const QSignalBlocker blocker(m_appendDefault);
    m_mode->setCurrentIndex(m_mode->findData(QVariant::fromValue(preset.mode)));
    m_appendDefault->setChecked(preset.appendDefault);
    showDefaultCell(preset.mode);
    m_links->setPreset(preset);
    m_exclusions->setExclusions(preset.exclusions);
}

void CombinationEdit::setAxes(const core::Preset& preset)
{
    m_links->setPreset(preset);
}

void CombinationEdit::setSizes(const std::vector<std::string>& names)
{
    m_links->setSizes(names);
}

QString CombinationEdit::summary(const core::Preset& preset)
{
    const QLocale locale;
    const bool cross = preset.mode == core::SweepMode::Cross;
    QStringList parts{cross ? tr("every combination") : tr("one axis at a time")};
    if (!preset.linked.empty())
        parts << countedText(static_cast<qsizetype>(preset.linked.size()), tr("1 link"),
                             tr("%1 links"));
    if (!preset.exclusions.empty())
        parts << tr("%1 excluded").arg(locale.toString(qulonglong(preset.exclusions.size())));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace qs::widgets

#include "moc_combination_edit.cpp"
