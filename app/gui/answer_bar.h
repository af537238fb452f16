#pragma once

#include "app/gui/answer.h"
#include "widgets/models/run_store.h"

#include <QFrame>

class QComboBox;
class QLabel;
class QPushButton;

namespace qs::app {

// The answer of the run in one line of plain words, with the quality limit that it is asked under.
class AnswerBar final : public QFrame
{
    Q_OBJECT

public:
    // `store` must outlive the bar.
    AnswerBar(widgets::RunStore& store, QualityLimit limit, QWidget* parent = nullptr);

    void setRunning(bool running);
    [[nodiscard]] const Answer& answer() const { return m_answer; }
    [[nodiscard]] QualityLimit limit() const { return m_limit; }
    // Makes the answer A and what it is compared with B, at its worst picture.
    void selectAnswer();

Q_SIGNALS:
    void limitChosen(qs::app::QualityLimit limit);

private:
    void build();
    void update();

    widgets::RunStore& m_store;
    QualityLimit m_limit;
    bool m_running = false;
    Answer m_answer;
    QLabel* m_headline = nullptr;
    QLabel* m_detail = nullptr;
    QComboBox* m_limitBox = nullptr;
    QPushButton* m_show = nullptr;
};

}  // namespace qs::app
