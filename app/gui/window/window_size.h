#pragma once

#include <QRegularExpression>
#include <QSize>
#include <QString>
#include <QWidget>

#include <optional>

namespace qs::app {

// Of a text such as "1366x768"; nothing if it is none, or the window would have no pixel.
[[nodiscard]] inline std::optional<QSize> sizeOf(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^([1-9][0-9]{0,4})x([1-9][0-9]{0,4})$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return QSize(match.captured(1).toInt(), match.captured(2).toInt());
}

// Whatever the settings have of an earlier window: one that was left maximised takes no size.
inline void giveSize(QWidget& window, const QSize& size)
{
    window.setWindowState(Qt::WindowNoState);
    window.resize(size);
}

}  // namespace qs::app
