#pragma once

#include <QApplication>
#include <QLocale>
#include <QObject>
#include <QString>
#include <QStyleFactory>

// How tests find widgets, and the surroundings that they run in.
namespace qs::tests {

// What has this name must be there: a test that goes on without it would crash or, worse, pass.
template <typename Widget>
Widget* child(const QObject& parent, const char* name)
{
    auto* found = parent.findChild<Widget*>(QString::fromLatin1(name));
    if (found == nullptr)
        qFatal("there is no child \"%s\"", name);
    return found;
}

// Fusion is the only style that looks the same everywhere; numbers are written as in files.
inline void setUpWidgets()
{
    QLocale::setDefault(QLocale::c());
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
}

}  // namespace qs::tests
