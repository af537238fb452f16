#pragma once

#include "core/record/run_data.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace qs::app {

// Says that the run in view was measured elsewhere, and offers to measure it here.
class ExampleBanner final : public QFrame
{
    Q_OBJECT

public:
    explicit ExampleBanner(QWidget* parent = nullptr);

    // Shows itself for a shipped example, hides for anything else.
    void showRun(const core::RunData& data, bool example);
    // What measuring it would cost, and why it cannot be at the moment; empty if it can.
    void setOffer(const QString& text, const QString& obstacle);

Q_SIGNALS:
    void runHereRequested();

private:
    QLabel* m_text = nullptr;
    QPushButton* m_runHere = nullptr;
};

}  // namespace qs::app
