#pragma once

#include "app/gui/run_controller.h"
#include "app/gui/run_queue.h"
#include "app/gui/settings.h"
#include "app/gui/window/run_name.h"
#include "widgets/models/run_store.h"

#include <QObject>

class QMenu;
class QToolBar;
class QToolButton;

namespace qs::app {

// The name of the run in view as a button; its menu has the running sweep, those that wait, the
// runs that were open last and the way to all others.
class RunMenu final : public QObject
{
    Q_OBJECT

public:
    // Everything given must outlive the object.
    RunMenu(const widgets::RunStore& store, const RunName& name, const RunController& controller,
            const RunQueue& queue, const Settings& settings, QObject* parent);

    // Once, as a part of the bar.
    [[nodiscard]] QToolButton* makeButton(QToolBar& bar);
    // "Demo model · NVIDIA H200 · 22 Nov 2026"; empty without a run.
    [[nodiscard]] QString title() const;

Q_SIGNALS:
    // A run folder.
    void openRequested(const QString& folder);
    void allRunsWanted();
    void otherFolderWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
    void showTitle();
    void fill(QMenu& menu);
    void addRunning(QMenu& menu);
    void addRecent(QMenu& menu);

    const widgets::RunStore& m_store;
    const RunName& m_name;
    const RunController& m_controller;
    const RunQueue& m_queue;
    const Settings& m_settings;
    QToolBar* m_bar = nullptr;
    QToolButton* m_button = nullptr;
    int m_padding = 0;  // of the button, around its text
    int m_room = 0;     // for that
};

}  // namespace qs::app
