#pragma once

#include <QColor>
#include <QPalette>
#include <QRegularExpression>
#include <QString>
#include <QTest>
#include <QWidget>

// What tests of widgets share.
namespace qs::tests {

inline QPalette lightPalette()
{
    QPalette palette(QColor(0xef, 0xef, 0xef));
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::AlternateBase, QColor(0xf5, 0xf5, 0xf5));
    palette.setColor(QPalette::Text, QColor(0x1d, 0x1d, 0x1d));
    palette.setColor(QPalette::Highlight, QColor(0x2f, 0x6f, 0xd0));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    return palette;
}

inline QPalette darkPalette()
{
    QPalette palette(QColor(0x2b, 0x2d, 0x30));
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        palette.setColor(role, QColor(0xe6, 0xe6, 0xe6));
    palette.setColor(QPalette::PlaceholderText, QColor(0x9a, 0x9a, 0x9a));
    palette.setColor(QPalette::Base, QColor(0x1e, 0x1f, 0x22));
    palette.setColor(QPalette::AlternateBase, QColor(0x25, 0x26, 0x2a));
    palette.setColor(QPalette::Highlight, QColor(0x4c, 0x8d, 0xf6));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    return palette;
}

// Any warning of Qt fails the test, but for what the offscreen platform says of itself.
inline void failOnQtWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
}

// Grabs the widget into the folder of screenshots: "<name>-<1x, 1.5x or 2x>.png".
inline QImage screenshot(QWidget& widget, const QString& name)
{
    const QImage image = widget.grab().toImage();
    image.save(QStringLiteral("%1/%2-%3x.png")
                   .arg(QStringLiteral(QS_SCREENSHOT_DIR), name)
                   .arg(widget.devicePixelRatioF()));
    return image;
}

}  // namespace qs::tests
