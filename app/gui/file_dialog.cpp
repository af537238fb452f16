#include "app/gui/file_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>

#include <utility>

namespace qs::app {

namespace {

const QByteArray kLastFolder = "lastFolderOf_";

// Qt's own refuses a folder that is not there yet, which is what one types to export into.
class NewFolderDialog final : public QFileDialog
{
public:
    NewFolderDialog(QWidget* window, const QString& title) : QFileDialog(window, title)
    {
        setFileMode(QFileDialog::Directory);
        // Dialogs of the desktop have a way of their own, and no such parts.
        auto* name = findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        auto* buttons = findChild<QDialogButtonBox*>();
        if (name == nullptr || buttons == nullptr)
            return;
        connect(name, &QLineEdit::textChanged, this, [this, buttons] {
            if (QPushButton* choose = buttons->button(QDialogButtonBox::Open);
                choose != nullptr && !newFolder().isEmpty())
                choose->setEnabled(true);
        });
    }

    void accept() override
    {
        if (const QString folder = newFolder(); !folder.isEmpty())
            static_cast<void>(QDir().mkpath(folder));  // where it fails, Qt says what is missing
        QFileDialog::accept();
    }

private:
    [[nodiscard]] QString newFolder() const
    {
        const QStringList typed = selectedFiles();
        return typed.size() == 1 && !QFileInfo::exists(typed.front()) ? typed.front() : QString();
    }
};

}  // namespace

void askForFile(QWidget& window, const FileQuestion& question,
                std::function<void(const QString& path)> chosen)
{
    QFileDialog* dialog = question.makesFolder
                              ? new NewFolderDialog(&window, question.title)
                              : new QFileDialog(&window, question.title, {}, question.filter);
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
    const QByteArray last = kLastFolder + question.name;
    if (const QString folder = window.property(last).toString(); QFileInfo(folder).isDir())
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

QVariantMap lastFolders(const QWidget& window)
{
    QVariantMap folders;
    for (const QByteArray& name : window.dynamicPropertyNames()) {
        if (name.startsWith(kLastFolder))
            folders.insert(QString::fromLatin1(name.mid(kLastFolder.size())),
                           window.property(name));
    }
    return folders;
}

void setLastFolders(QWidget& window, const QVariantMap& folders)
{
    for (auto folder = folders.begin(); folder != folders.end(); ++folder)
        window.setProperty(kLastFolder + folder.key().toLatin1(), folder.value().toString());
}

}  // namespace qs::app
