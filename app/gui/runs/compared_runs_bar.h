#pragma once

#include "widgets/models/run_store.h"

#include <QFrame>
#include <QStringList>

class QComboBox;
class QLabel;

namespace qs::app {

// Says which runs are laid beside the one in view, what the comparison came to and what changed
// between them; or, in one line, why a run could not be laid there. Hidden where there is nothing
// to say.
class ComparedRunsBar final : public QFrame
{
    Q_OBJECT

public:
    // `store` must outlive the bar.
    explicit ComparedRunsBar(widgets::RunStore& store, QWidget* parent = nullptr);

    // Folders are being read.
    void setReading(bool reading);
    // What stands in the way of some run, or makes it doubtful; empty: nothing.
    void setProblem(const QString& problem);

Q_SIGNALS:
    void changeRequested();
    void leaveRequested();

private:
    void build();
    void update();
    void updateShown();

    widgets::RunStore& m_store;
    QLabel* m_text = nullptr;
    QLabel* m_problem = nullptr;
    QComboBox* m_shown = nullptr;  // whose images are seen, where there are several
    QString m_problemText;
    bool m_reading = false;
};

}  // namespace qs::app
