#include "app/gui/file_dialog.h"

#include <QFileInfo>

#include <utility>

namespace qs::app {

void askForFile(QWidget& window, const FileQuestion& question,
                std::function<void(const QString& path)> chosen)
{
    auto* dialog = new QFileDialog(&window, question.title, {}, question.filter);
    dialog->setObjectName(QString::fromLatin1(question.name));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(question.mode);
    if (question.mode == QFileDialog::AnyFile) {
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        const QString pattern =
            question.filter.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0);
        dialog->setDefaultSuffix(pattern.section(QLatin1Char(' '), 0, 0));
    }
    // Each question begins where it was answered last.
    const QByteArray last = QByteArray("lastFolderOf_") + question.name;
    if (const QString folder = window.property(last).toString(); !folder.isEmpty())
        dialog->setDirectory(folder);
    if (!question.suggestion.isEmpty())
        dialog->selectFile(question.suggestion);
    QObject::connect(dialog, &QFileDialog::fileSelected, &window,
                     [&window, last](const QString& path) {
                         window.setProperty(last, QFileInfo(path).absolutePath());
                     });
    QObject::connect(dialog, &QFileDialog::fileSelected, &window, std::move(chosen));
    dialog->open();
}

}  // namespace qs::app
