#pragma once

#include "widgets/models/run_store.h"

#include <QToolButton>

class QFrame;
class QLabel;

namespace qs::app {

// How many warnings the run has; pressed, it tells them. Keeps its room when there are none.
class RunWarnings final : public QToolButton
{
    Q_OBJECT

public:
    // `store` must outlive the button.
    explicit RunWarnings(widgets::RunStore& store, QWidget* parent = nullptr);

private:
    void update();
    void showAll();

    widgets::RunStore& m_store;
    QFrame* m_panel;
    QLabel* m_text;
};

}  // namespace qs::app
