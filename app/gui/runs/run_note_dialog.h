#pragma once

#include <QDialog>
#include <QString>

class QPlainTextEdit;

namespace qs::app {

// What the user wants to remember of a run, in as many lines as it takes.
class RunNoteDialog final : public QDialog
{
    Q_OBJECT

public:
    RunNoteDialog(const QString& run, const QString& note, QWidget* parent = nullptr);

Q_SIGNALS:
    // Not emitted when the user thinks better of it.
    void saved(const QString& note);

private:
    QPlainTextEdit* m_text = nullptr;
};

}  // namespace qs::app
