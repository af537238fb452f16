#pragma once

#include "app/gui/run_controller.h"
#include "widgets/models/run_store.h"

#include <QObject>
#include <QString>

namespace qs::app {

// While a run goes on its newest images come by themselves, until the user looks at something else.
class FollowRun final : public QObject
{
    Q_OBJECT

public:
    // Both must outlive the object.
    FollowRun(widgets::RunStore& store, const RunController& controller, QObject* parent);

    // What is selected was selected by this, or nothing is.
    [[nodiscard]] bool isFollowing() const;

private:
    void follow();

    widgets::RunStore& m_store;
    const RunController& m_controller;
    QString m_shown;
};

}  // namespace qs::app
