#include "app/gui/runs/run_note_dialog.h"

#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace qs::app {

RunNoteDialog::RunNoteDialog(const QString& run, const QString& note, QWidget* parent)
    : QDialog(parent), m_text(new QPlainTextEdit(note))
{
    setObjectName(QStringLiteral("runNoteDialog"));
    setWindowTitle(tr("Note: %1").arg(run));
    m_text->setObjectName(QStringLiteral("runNoteText"));
    m_text->setAccessibleName(tr("Note of the run"));
    m_text->setPlaceholderText(tr("What you want to remember of this run"));
    m_text->setTabChangesFocus(true);
    m_text->moveCursor(QTextCursor::End);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Save)->setObjectName(QStringLiteral("saveRunNote"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_text, 1);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        const QString text = m_text->toPlainText();
        accept();
        Q_EMIT saved(text);
    });
    const QFontMetrics metrics = fontMetrics();
    resize(metrics.averageCharWidth() * 64, metrics.height() * 14);
}

}  // namespace qs::app

#include "moc_run_note_dialog.cpp"
