#include "app/gui/help/help_text.h"

#include <QEvent>
#include <QFileInfo>
#include <QImage>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>

namespace qs::app {

QString HelpText::pictureFile(const QUrl& name) const
{
    const QStringList folders = searchPaths();
    const QFileInfo file(QStringLiteral("%1/%2").arg(folders.value(0), name.path()));
    const bool dark =
        palette().color(QPalette::Base).lightness() < palette().color(QPalette::Text).lightness();
    const QString other =
        QStringLiteral("%1/%2-dark.%3").arg(file.path(), file.completeBaseName(), file.suffix());
    return dark && QFileInfo::exists(other) ? other : file.filePath();
}

int HelpText::roomForPictures() const
{
    return std::max(1, viewport()->width() - 2 * static_cast<int>(document()->documentMargin()));
}

QVariant HelpText::loadResource(int type, const QUrl& name)
{
    if (type != QTextDocument::ImageResource)
        return QTextBrowser::loadResource(type, name);
    QImage image(pictureFile(name));
    if (image.isNull())
        return {};
    if (!m_pictures.contains(name))
        m_pictures << name;
    // Files have one pixel for each logical one.
    const int width = std::min(image.width(), roomForPictures());
    const double scale = devicePixelRatioF();
    image =
        image.scaledToWidth(static_cast<int>(std::lround(width * scale)), Qt::SmoothTransformation);
    image.setDevicePixelRatio(scale);
    return image;
}

void HelpText::refreshPictures()
{
    const QList<QUrl> pictures = m_pictures;
    for (const QUrl& name : pictures)
        document()->addResource(QTextDocument::ImageResource, name,
                                loadResource(QTextDocument::ImageResource, name));
    document()->markContentsDirty(0, document()->characterCount());
}

void HelpText::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refreshPictures();
}

void HelpText::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        refreshPictures();
}

}  // namespace qs::app

#include "moc_help_text.cpp"
