#pragma once

#include "core/sweep/plan.h"

#include <QMenu>
#include <QObject>
#include <QToolButton>

#include <optional>
#include <vector>

namespace qs::app {

// Sweeps that wait for the running one, in order, with the button that shows them. A queue lives as
// long as the window: what has not begun leaves no trace on disk.
class RunQueue final : public QObject
{
    Q_OBJECT

public:
    explicit RunQueue(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] bool isEmpty() const { return m_plans.empty(); }
    [[nodiscard]] std::size_t size() const { return m_plans.size(); }
    [[nodiscard]] const std::vector<core::Plan>& plans() const { return m_plans; }
    void add(core::Plan plan);
    // Nothing if none waits.
    [[nodiscard]] std::optional<core::Plan> takeNext();
    void remove(std::size_t index);

    // A button that is hidden while nothing waits; its menu names what waits and can drop it.
    [[nodiscard]] QToolButton* makeButton(QWidget* parent);

Q_SIGNALS:
    void changed();
    // Somebody wants the next one begun although the run before was stopped.
    void startRequested();

private:
    void fillMenu(QMenu& menu);

    std::vector<core::Plan> m_plans;
};

}  // namespace qs::app
