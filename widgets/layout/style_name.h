#pragma once

#include <QProxyStyle>
#include <QString>

namespace qs::widgets {

// For making another like it. That of the application may be a proxy itself, which has no name to
// be made by.
[[nodiscard]] inline QString nameOfStyle(const QStyle& style)
{
    const auto* proxy = qobject_cast<const QProxyStyle*>(&style);
    return proxy == nullptr ? style.name() : proxy->baseStyle()->name();
}

}  // namespace qs::widgets
