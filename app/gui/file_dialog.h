#pragma once

#include <QFileDialog>
#include <QString>
#include <QVariantMap>

#include <functional>

class QWidget;

namespace qs::app {

struct FileQuestion {
    const char* name = "";  // of the dialog, for tests
    QString title;
    QString filter = {};  // "Presets (*.json)"; empty for folders
    QFileDialog::FileMode mode = QFileDialog::ExistingFile;
    QString suggestion = {};   // a file name or path to start with
    bool makesFolder = false;  // one that is typed and not there yet
};

// Opens a file dialog without a nested event loop; `chosen` gets the path, and is not called if the
// user thinks better of it. A file to be saved gets the first suffix of the filter if it has none.
void askForFile(QWidget& window, const FileQuestion& question,
                std::function<void(const QString& path)> chosen);

// Where each question was answered last, by its name, for the next start.
[[nodiscard]] QVariantMap lastFolders(const QWidget& window);
void setLastFolders(QWidget& window, const QVariantMap& folders);

}  // namespace qs::app
