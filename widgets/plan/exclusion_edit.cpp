#include "widgets/plan/exclusion_edit.h"

#include "widgets/plan/preset_edit.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace qs::widgets {

ExclusionEdit::ExclusionEdit(QWidget* parent)
    : QWidget(parent),
      m_rules(new QVBoxLayout),
      m_match(new QLineEdit(this)),
      m_reason(new QLineEdit(this)),
      m_add(new QToolButton(this)),
      m_message(new QLabel(this))
{
    m_match->setObjectName(QStringLiteral("exclusionMatch"));
    m_match->setAccessibleName(tr("Cells to leave out"));
    m_match->setPlaceholderText(tr("precision=fp32; batch=32..64"));
    m_match->setToolTip(
        tr("Cells that have all of these are left out: axis=values, separated by semicolons. "
           "Values as in the lists above: \"precision=fp32,tf32; batch=32..64 pow2\""));
    m_reason->setObjectName(QStringLiteral("exclusionReason"));
    m_reason->setAccessibleName(tr("Why they are left out"));
    m_reason->setToolTip(tr("Stands beside the cells in the plan, the table and the exports"));
    m_reason->setPlaceholderText(tr("why, e.g. too slow"));
    m_add->setObjectName(QStringLiteral("addExclusion"));
    m_add->setText(tr("Leave out"));
    m_add->setFocusPolicy(Qt::StrongFocus);
    m_message->setObjectName(QStringLiteral("exclusionMessage"));
    m_message->setWordWrap(true);
    m_rules->setContentsMargins(0, 0, 0, 0);
    m_rules->setSpacing(2);
    setFocusProxy(m_match);
    auto* row = new QHBoxLayout;
    row->addWidget(m_reason, 1);
    row->addWidget(m_add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(m_rules);
    layout->addWidget(m_match);
    layout->addLayout(row);
    layout->addWidget(m_message);
    connect(m_match, &QLineEdit::textEdited, this, &ExclusionEdit::check);
    connect(m_reason, &QLineEdit::textEdited, this, &ExclusionEdit::check);
    connect(m_match, &QLineEdit::returnPressed, this, &ExclusionEdit::add);
    connect(m_reason, &QLineEdit::returnPressed, this, &ExclusionEdit::add);
    connect(m_add, &QToolButton::clicked, this, &ExclusionEdit::add);
    check();
}

void ExclusionEdit::setExclusions(const std::vector<core::Exclusion>& exclusions)
{
    m_exclusions = exclusions;
    while (QLayoutItem* item = m_rules->takeAt(0)) {
        // The button that was pressed is still on the stack.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < m_exclusions.size(); ++i) {
        auto* rule = new QWidget(this);
        const QString text = exclusionText(m_exclusions[i]);
        const QString reason = QString::fromStdString(m_exclusions[i].reason);
        auto* label = new QLabel(tr("%1 — %2").arg(text, reason), rule);
        label->setObjectName(QStringLiteral("exclusion"));
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        auto* removeButton = new QToolButton(rule);
        removeButton->setObjectName(QStringLiteral("removeExclusion"));
        removeButton->setText(QStringLiteral("×"));
        removeButton->setFocusPolicy(Qt::StrongFocus);
        removeButton->setToolTip(tr("Do not leave these out any more"));
        removeButton->setAccessibleName(tr("Do not leave out %1").arg(text));
        connect(removeButton, &QToolButton::clicked, this, [this, i] { remove(i); });
        auto* row = new QHBoxLayout(rule);
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(label, 1);
        row->addWidget(removeButton);
        m_rules->addWidget(rule);
    }
}

void ExclusionEdit::check()
{
    const auto exclusion = exclusionFromText(m_match->text(), m_reason->text());
    const bool empty = m_match->text().trimmed().isEmpty();
    const QString message =
        exclusion.ok() || empty ? QString() : QString::fromStdString(exclusion.error().message);
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
    m_match->setAccessibleDescription(message);
    m_add->setEnabled(exclusion.ok());
    m_add->setToolTip(exclusion.ok() ? tr("Leave these cells out of the sweep") : message);
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

void ExclusionEdit::remove(std::size_t place)
{
    std::vector<core::Exclusion> changed = m_exclusions;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(place));
    setExclusions(changed);
    m_match->setFocus();
    Q_EMIT exclusionsEdited(changed);
}

}  // namespace qs::widgets
