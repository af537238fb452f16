#pragma once

#include "core/sweep/plan.h"

#include <QWidget>

class QPushButton;

namespace qs::widgets {

// The buttons that all of a draft is for.
class RunButtons final : public QWidget
{
    Q_OBJECT

public:
    struct Offer {
        const core::Plan* plan = nullptr;  // null without one
        QString obstacle;                  // why it cannot be run; empty if it can
        bool queueing = false;             // it would wait for the end of another
        bool appendable = false;           // there is a run that it can be appended to
    };

    explicit RunButtons(QWidget* parent = nullptr);

    void showOffer(const Offer& offer);

Q_SIGNALS:
    void runClicked();
    void appendClicked();

private:
    QPushButton* m_run;
    QPushButton* m_append;
};

}  // namespace qs::widgets
