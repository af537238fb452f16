#pragma once

#include <QObject>

class QWidget;

namespace qs::widgets {

// Keeps editors of a scrolling panel from taking what is not theirs: Ctrl+Z belongs to the draft,
// where every letter is a step already; the wheel scrolls the panel instead of changing what it
// passes; files that are dropped are for the whole window, not text.
class EditorFilter final : public QObject
{
    Q_OBJECT

public:
    // For the editors that the panel has now; a child of it.
    explicit EditorFilter(QWidget& panel);

protected:
    bool eventFilter(QObject* editor, QEvent* event) override;
};

}  // namespace qs::widgets
