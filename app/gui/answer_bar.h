#pragma once

#include "app/gui/answer.h"
#include "widgets/models/run_store.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QPushButton;
class QToolButton;

namespace qs::app {

class AnswerLine;
class AnswerQuestionPanel;
class AnswerWhy;
class StatusLight;

// The answer of the run in one line of plain words: how firm it is, what was asked, and how many
// warnings there are.
class AnswerBar final : public QWidget
{
    Q_OBJECT

public:
    // `store` must outlive the bar.
    AnswerBar(widgets::RunStore& store, const core::AnswerQuestion& asked,
              QWidget* parent = nullptr);

    void setRunning(bool running);
    // A button for the action that settles open comparisons. To be called once.
    void offerSettling(QAction* settle);
    [[nodiscard]] const Answer& answer() const { return m_answer; }
    [[nodiscard]] const core::AnswerQuestion& question() const;
    // Makes the answer A and what it is compared with B, at its worst picture.
    void selectAnswer();
    // The same with what one sees first of a run, see cellToShowFirst().
    void selectFirst();

Q_SIGNALS:
    // By the user.
    void questionChanged(const qs::core::AnswerQuestion& question);

private:
    void buildButtons();
    void layOut();
    void ask();
    void update();
    void updateAsk();
    void showWhy();
    void select(const std::string& cellId);
    [[nodiscard]] QString questionText() const;

    widgets::RunStore& m_store;
    AnswerQuestionPanel* m_question;
    bool m_running = false;
    Answer m_answer;
    QString m_selectedByBar;     // the cell that selectAnswer() chose last
    QTimer m_whyRefresh;         // a list that is being read changes once a second at most
    AnswerWhy* m_why = nullptr;  // child, made when first asked for
    StatusLight* m_light = nullptr;
    AnswerLine* m_line = nullptr;
    QToolButton* m_ask = nullptr;
    QPushButton* m_whyButton = nullptr;
    QPushButton* m_show = nullptr;
    QToolButton* m_settle = nullptr;
};

}  // namespace qs::app
