#pragma once

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

#include <filesystem>
#include <vector>

namespace qs::tests {

// Drops files on a widget, as they come from a file manager; false if it does not take them.
[[nodiscard]] inline bool drop(QWidget& widget, const std::vector<std::filesystem::path>& paths)
{
    QList<QUrl> urls;
    for (const std::filesystem::path& path : paths)
        urls << QUrl::fromLocalFile(QString::fromStdString(path.string()));
    QMimeData mime;
    mime.setUrls(urls);
    const QPoint at(10, 10);
    // Qt delivers a drop only where it has entered.
    QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &enter);
    QDropEvent dropped(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &dropped);
    return enter.isAccepted();
}

}  // namespace qs::tests
