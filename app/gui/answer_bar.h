#pragma once

#include "app/gui/answer.h"
#include "widgets/models/run_store.h"

#include <QFrame>
#include <QTimer>

class QAction;
class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace qs::app {

class AnswerWhy;

// The answer of the run in one line of plain words, with the question that is asked: what the best
// is the best in, what its pictures must be like, and what ratios are formed with.
class AnswerBar final : public QFrame
{
    Q_OBJECT

public:
    // `store` must outlive the bar.
    AnswerBar(widgets::RunStore& store, const core::AnswerQuestion& question,
              QWidget* parent = nullptr);

    void setRunning(bool running);
    // A button for the action that settles open comparisons. To be called once.
    void offerSettling(QAction* settle);
    [[nodiscard]] const Answer& answer() const { return m_answer; }
    [[nodiscard]] const core::AnswerQuestion& question() const { return m_question; }
    // Makes the answer A and what it is compared with B, at its worst picture.
    void selectAnswer();
    // The same with what one sees first of a run, see cellToShowFirst().
    void selectFirst();

Q_SIGNALS:
    // By the user.
    void questionChanged(const qs::core::AnswerQuestion& question);

private:
    void buildTexts();
    void buildQuestion();
    void buildBaseline();
    void layOut();
    void ask();
    void update();
    void updateQuestion();
    void updateBaseline();
    void chooseBaseline(int index);
    void showWhy();
    void select(const std::string& cellId);
    [[nodiscard]] QString questionText() const;

    widgets::RunStore& m_store;
    core::AnswerQuestion m_question;
    bool m_running = false;
    Answer m_answer;
    QString m_selectedByBar;     // the cell that selectAnswer() chose last
    QTimer m_whyRefresh;         // a list that is being read changes once a second at most
    AnswerWhy* m_why = nullptr;  // child, made when first asked for
    QLabel* m_headline = nullptr;
    QLabel* m_detail = nullptr;
    QComboBox* m_objective = nullptr;
    QComboBox* m_limit = nullptr;
    QDoubleSpinBox* m_ssim = nullptr;
    QComboBox* m_baseline = nullptr;
    QPushButton* m_whyButton = nullptr;
    QPushButton* m_show = nullptr;
    QToolButton* m_settle = nullptr;
};

}  // namespace qs::app
