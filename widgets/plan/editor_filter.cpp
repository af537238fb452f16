#include "widgets/plan/editor_filter.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>

namespace qs::widgets {

EditorFilter::EditorFilter(QWidget& panel) : QObject(&panel)
{
    for (QLineEdit* edit : panel.findChildren<QLineEdit*>())
        edit->setAcceptDrops(false);
    static const QRegularExpression kWholeDraft(QStringLiteral("^(rangeText|feed:.*)$"));
    for (QLineEdit* edit : panel.findChildren<QLineEdit*>(kWholeDraft))
        edit->installEventFilter(this);
    QWidgetList counters;
    for (QAbstractSpinBox* box : panel.findChildren<QAbstractSpinBox*>())
        counters << box;
    for (QComboBox* box : panel.findChildren<QComboBox*>())
        counters << box;
    for (QWidget* counter : counters) {
        counter->setFocusPolicy(Qt::StrongFocus);  // the wheel takes no focus
        counter->installEventFilter(this);
    }
}

bool EditorFilter::eventFilter(QObject* editor, QEvent* event)
{
    bool notTheirs = false;
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<const QKeyEvent*>(event);
        notTheirs = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
    } else if (event->type() == QEvent::Wheel) {
        notTheirs = !static_cast<QWidget*>(editor)->hasFocus();
    }
    if (notTheirs)
        event->ignore();
    return notTheirs;
}

}  // namespace qs::widgets

#include "moc_editor_filter.cpp"
