#include "widgets/plan/exclusion_edit.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plan/line_list.h"
#include "widgets/plan/message_line.h"
#include "widgets/plan/preset_edit.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace qs::widgets {

ExclusionEdit::ExclusionEdit(QWidget* parent)
    : QWidget(parent),
      m_rules(new LineList(QStringLiteral("exclusion"), this)),
      m_match(new QLineEdit(this)),
      m_reason(new QLineEdit(this)),
      m_add(new QToolButton(this)),
      m_message(newMessageLine(QStringLiteral("exclusionMessage"), this))
{
    m_match->setObjectName(QStringLiteral("exclusionMatch"));
    m_match->setAccessibleName(tr("Cells to exclude"));
    m_match->setPlaceholderText(tr("precision=fp32; batch=32..64"));
    m_match->setToolTip(
        tr("Exclude the cells that match all of these: axis=values, separated by semicolons. "
           "Values as in the lists above: \"precision=fp32,tf32; batch=32..64 pow2\""));
    m_reason->setObjectName(QStringLiteral("exclusionReason"));
    m_reason->setAccessibleName(tr("Reason for the exclusion"));
    m_reason->setToolTip(tr("Shown with the cells in the plan, the table and the exports"));
    m_reason->setPlaceholderText(tr("reason, e.g. too slow"));
    m_add->setObjectName(QStringLiteral("addExclusion"));
    m_add->setText(tr("Exclude"));
    m_add->setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_match);
    auto* row = new QHBoxLayout;
    row->addWidget(m_reason, 1);
    row->addWidget(m_add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_rules);
    layout->addWidget(m_match);
    layout->addLayout(row);
    layout->addWidget(m_message);
    connect(m_match, &QLineEdit::textEdited, this, &ExclusionEdit::check);
    connect(m_reason, &QLineEdit::textEdited, this, &ExclusionEdit::check);
    connect(m_match, &QLineEdit::returnPressed, this, &ExclusionEdit::add);
    connect(m_reason, &QLineEdit::returnPressed, this, &ExclusionEdit::add);
    connect(m_add, &QToolButton::clicked, this, &ExclusionEdit::add);
    connect(m_rules, &LineList::removed, this, &ExclusionEdit::remove);
    check();
}

void ExclusionEdit::setExclusions(const std::vector<core::Exclusion>& exclusions)
{
    m_exclusions = exclusions;
    QList<LineList::Line> lines;
    for (const core::Exclusion& exclusion : m_exclusions) {
        const QString text = exclusionText(exclusion);
        lines << LineList::Line{tr("%1 — %2").arg(text, QString::fromStdString(exclusion.reason)),
                                {},
                                tr("Remove the exclusion %1").arg(text)};
    }
    m_rules->setLines(lines);
}

void ExclusionEdit::check()
{
    const auto exclusion = exclusionFromText(m_match->text(), m_reason->text());
    const bool empty = m_match->text().trimmed().isEmpty();
    const QString message =
        exclusion.ok() || empty ? QString() : QString::fromStdString(exclusion.error().message);
    showMessage(*m_message, message);
    m_match->setAccessibleDescription(message);
    m_add->setEnabled(exclusion.ok());
    m_add->setToolTip(
        plainTip(exclusion.ok() ? tr("Exclude these cells from the sweep") : message));
}

void ExclusionEdit::add()
{
    auto exclusion = exclusionFromText(m_match->text(), m_reason->text());
    if (!exclusion.ok())
        return;
    std::vector<core::Exclusion> changed = m_exclusions;
    changed.push_back(std::move(exclusion).value());
    m_match->clear();
    m_reason->clear();
    check();
    setExclusions(changed);
    m_match->setFocus();
    Q_EMIT exclusionsEdited(changed);
}

void ExclusionEdit::remove(int place)
{
    std::vector<core::Exclusion> changed = m_exclusions;
    changed.erase(changed.begin() + place);
    setExclusions(changed);
    m_match->setFocus();
    Q_EMIT exclusionsEdited(changed);
}

}  // namespace qs::widgets

#include "moc_exclusion_edit.cpp"
