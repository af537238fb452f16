#include "widgets/plan/fold_section.h"

#include "widgets/models/plain_tip.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace qs::widgets {

FoldSection::FoldSection(const QString& title, QWidget* content, QWidget* parent)
    : QWidget(parent), m_title(title), m_head(new QToolButton(this)), m_content(content)
{
    m_head->setCheckable(true);
    m_head->setAutoRaise(true);
    m_head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_head->setFocusPolicy(Qt::StrongFocus);
    m_head->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_content->setParent(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_head);
    layout->addWidget(m_content);
    connect(m_head, &QToolButton::toggled, this, &FoldSection::showHead);
    showHead();
}

void FoldSection::setOpen(bool open)
{
    m_head->setChecked(open);
}

bool FoldSection::isOpen() const
{
    return m_head->isChecked();
}

void FoldSection::setSummary(const QString& summary)
{
    m_summary = summary;
    showHead();
}

void FoldSection::showHead()
{
    const bool open = isOpen();
    m_content->setVisible(open);
    m_head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_head->setText(open || m_summary.isEmpty() ? m_title : tr("%1: %2").arg(m_title, m_summary));
    m_head->setAccessibleName(m_title);
    m_head->setAccessibleDescription(m_summary);
    m_head->setToolTip(plainTip(open ? tr("Fold away") : m_summary));
}

}  // namespace qs::widgets

#include "moc_fold_section.cpp"
