#include "widgets/plan/path_edit.h"

#include "widgets/models/plain_tip.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

#include <utility>

namespace qs::widgets {

PathEdit::PathEdit(const QString& name, const QString& title, QString filter, QWidget* parent)
    : QWidget(parent), m_title(title), m_filter(std::move(filter)), m_line(new QLineEdit(this))
{
    m_line->setObjectName(name);
    m_line->setAccessibleName(title);
    auto* choose = new QToolButton(this);
    choose->setObjectName(QStringLiteral("choose:") + name);
    choose->setText(QStringLiteral("…"));
    choose->setFocusPolicy(Qt::StrongFocus);
    choose->setAccessibleName(tr("Choose %1").arg(title));
    choose->setToolTip(plainTip(choose->accessibleName()));
    setFocusProxy(m_line);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addWidget(m_line, 1);
    row->addWidget(choose);
    connect(m_line, &QLineEdit::textEdited, this, [this] {
        m_line->setToolTip(plainTip(path()));
        Q_EMIT edited(true);
    });
    connect(choose, &QToolButton::clicked, this, &PathEdit::choose);
}

void PathEdit::setPath(const QString& path)
{
    if (path == m_line->text())
        return;  // the cursor stays
    m_line->setText(path);
    m_line->setToolTip(plainTip(path));
}

QString PathEdit::path() const
{
    return m_line->text().trimmed();
}

void PathEdit::choose()
{
    auto* dialog =
        new QFileDialog(this, tr("Open %1").arg(m_title), QFileInfo(path()).path(), m_filter);
    dialog->setObjectName(QStringLiteral("fedFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        setPath(file);
        Q_EMIT edited(false);
    });
    dialog->open();
}

}  // namespace qs::widgets

#include "moc_path_edit.cpp"
