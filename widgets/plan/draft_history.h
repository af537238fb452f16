#pragma once

#include "core/sweep/preset.h"

#include <QUndoStack>

#include <filesystem>

class QAction;

namespace qs::widgets {

// The draft of a sweep: a preset, and the file it was opened from.
struct Draft {
    core::Preset preset;
    std::filesystem::path source;  // empty if it came from no file
};

// Every state that the draft has been in, so that no edit and no opened preset loses one.
class DraftHistory final : public QObject
{
    Q_OBJECT

public:
    explicit DraftHistory(QObject* parent = nullptr);

    [[nodiscard]] const Draft& draft() const { return m_draft; }
    // Somebody has worked on it: replacing it must be undoable.
    [[nodiscard]] bool isEdited() const { return m_edited; }

    // The draft without a past. `edited`: it is an edited one all the same, as after a restart.
    void reset(Draft draft, bool edited);
    // A step that can be undone. `what` completes "Undo …"; steps of the same `what` become one
    // while `typing`.
    void change(Draft draft, const QString& what, bool typing);

    // With the keys of the platform; they work in the whole window.
    [[nodiscard]] QAction* undoAction() const { return m_undo; }
    [[nodiscard]] QAction* redoAction() const { return m_redo; }

Q_SIGNALS:
    // By undo or redo, not by change().
    void restored();

private:
    class Step;

    void restore(const Draft& draft);

    Draft m_draft;
    bool m_edited = false;
    QUndoStack m_stack;
    QAction* m_undo;
    QAction* m_redo;
};

}  // namespace qs::widgets
