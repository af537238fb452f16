#pragma once

#include "core/record/run_data.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace qs::app {

// Says once, in place of a comparison, that the run in view kept no outputs, and what one can do.
class NoOutputsStrip final : public QFrame
{
    Q_OBJECT

public:
    explicit NoOutputsStrip(QWidget* parent = nullptr);

    // `repeatable`: nothing else offers to measure it again.
    void showRun(const core::RunData& data, bool repeatable);

Q_SIGNALS:
    void repeatWanted();
    void layersWanted();

private:
    QLabel* m_text;
    QPushButton* m_layers;
    QPushButton* m_repeat;
};

}  // namespace qs::app
