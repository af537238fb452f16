#pragma once

#include "app/gui/answer.h"
#include "widgets/models/run_store.h"

#include <QDialog>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace qs::app {

// Why the answer is the answer: every cell that was asked about, those that came close first, the
// others under the reason that excluded them. A click on a cell selects it in every view.
class AnswerWhy final : public QDialog
{
    Q_OBJECT

public:
    // `store` must outlive the window.
    explicit AnswerWhy(widgets::RunStore& store, QWidget* parent = nullptr);

    // `question` in words is its heading.
    void showAnswer(const Answer& answer, const core::AnswerQuestion& question,
                    const QString& inWords);

    // Of each kind; a sweep of ten thousand cells is read in the table.
    static constexpr int kMostShown = 200;

private:
    void addClaims();
    QTreeWidgetItem* addGroup(const QString& title, std::size_t count);
    void addCell(QTreeWidgetItem& group, const core::AnswerCandidate& candidate,
                 const core::AnswerQuestion& question);

    widgets::RunStore& m_store;
    QLabel* m_text = nullptr;
    QTreeWidget* m_cells = nullptr;
};

}  // namespace qs::app
