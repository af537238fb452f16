#include "widgets/plan/draft_history.h"

#include <QAction>
#include <QUndoCommand>

#include <utility>

namespace qs::widgets {

namespace {

constexpr int kMostSteps = 500;
constexpr int kTypingId = 1;

}  // namespace

class DraftHistory::Step final : public QUndoCommand
{
public:
    Step(DraftHistory& history, Draft after, const QString& what, bool typing)
        : m_history(history), m_before(history.m_draft), m_after(std::move(after)), m_typing(typing)
    {
        setText(what);
    }

    void undo() override { m_history.restore(m_before); }

    void redo() override
    {
        // The first time it is the editor that tells.
        if (std::exchange(m_done, true))
            m_history.restore(m_after);
        else
            m_history.m_draft = m_after;
    }

    [[nodiscard]] int id() const override { return m_typing ? kTypingId : -1; }

    bool mergeWith(const QUndoCommand* next) override
    {
        if (next->text() != text())
            return false;
        m_after = static_cast<const Step*>(next)->m_after;
        return true;
    }

private:
    DraftHistory& m_history;
    Draft m_before;
    Draft m_after;
    bool m_typing;
    bool m_done = false;
};

DraftHistory::DraftHistory(QObject* parent)
    : QObject(parent),
      m_undo(m_stack.createUndoAction(this, tr("Undo"))),
      m_redo(m_stack.createRedoAction(this, tr("Redo")))
{
    m_stack.setUndoLimit(kMostSteps);
    m_undo->setObjectName(QStringLiteral("undoDraft"));
    m_redo->setObjectName(QStringLiteral("redoDraft"));
    m_undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    m_redo->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
}

void DraftHistory::reset(Draft draft, bool edited)
{
    m_stack.clear();
    m_draft = std::move(draft);
    m_edited = edited;
}

void DraftHistory::change(Draft draft, const QString& what, bool typing)
{
    m_edited = true;
    m_stack.push(new Step(*this, std::move(draft), what, typing));
}

void DraftHistory::restore(const Draft& draft)
{
    m_draft = draft;
    Q_EMIT restored();
}

}  // namespace qs::widgets

#include "moc_draft_history.cpp"
