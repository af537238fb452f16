#include "app/gui/part_focus.h"

#include <QApplication>
#include <QWidget>

#include <algorithm>

namespace qs::app {

namespace {

bool takesTab(const QWidget& widget)
{
    return widget.isVisible() && widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) != 0;
}

bool holdsFocus(const QWidget& part)
{
    const QWidget* focus = QApplication::focusWidget();
    return focus != nullptr && (focus == &part || part.isAncestorOf(focus));
}

}  // namespace

bool focusInto(QWidget& part)
{
    if (!part.isVisible())
        return false;
    // As Tab would, so that styles draw the focus.
    constexpr Qt::FocusReason kReason = Qt::TabFocusReason;
    if (QWidget* meant = part.focusProxy(); meant != nullptr && takesTab(*meant)) {
        meant->setFocus(kReason);
        return true;
    }
    for (QWidget* each = part.nextInFocusChain(); each != &part; each = each->nextInFocusChain()) {
        if (part.isAncestorOf(each) && takesTab(*each)) {
            // A part that takes the keyboard hands it on where it wants it.
            (part.focusPolicy() == Qt::NoFocus ? each : &part)->setFocus(kReason);
            return true;
        }
    }
    return false;
}

void focusNextPart(const QList<QWidget*>& parts, bool forward)
{
    const qsizetype count = parts.size();
    const auto here = std::find_if(parts.begin(), parts.end(),
                                   [](const QWidget* part) { return holdsFocus(*part); });
    // From nowhere the first one is next, and the last one before.
    qsizetype place = here != parts.end() ? here - parts.begin() : (forward ? -1 : count);
    for (qsizetype tried = 0; tried < count; ++tried) {
        place = (place + (forward ? 1 : count - 1)) % count;
        if (focusInto(*parts[place]))
            return;
    }
}

}  // namespace qs::app
