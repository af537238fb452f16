#pragma once

#include "app/gui/runs/compared_runs_bar.h"
#include "app/gui/runs/other_run_reader.h"
#include "app/gui/window_actions.h"
#include "widgets/background/latest_task.h"

#include <functional>

class QWidget;

namespace qs::app {

class RunCatalogue;

// Lays further runs beside the one in view: asks which, reads them on a thread, and takes them away
// again. Whatever cannot be read is said in the bar, and what was there before stays.
class CompareRuns final : public QObject
{
    Q_OBJECT

public:
    struct Sources {
        widgets::RunStore& store;
        ComparedRunsBar& bar;
        const RunCatalogue& catalogue;
        std::function<void()> refreshCatalogue;
        std::function<QStringList()> known;  // folders of runs that were open or are listed
    };

    // Connects the actions. Everything given must outlive the object.
    CompareRuns(Sources sources, const ViewActions& actions, QWidget& window);

    // Asks for the runs.
    void ask();
    // In place of those of before. The run in view is not laid beside itself.
    void compareWith(const QStringList& folders);
    // The rows of a list of runs that were chosen: where the run in view is none of them and there
    // are several, the first of them is opened.
    void compareChosen(const QStringList& folders);
    // The run that openWanted() asked for is in view, or another one.
    void runOpened();
    void leave();
    // A folder is gone: its run no longer lies beside the one in view.
    void forget(const QString& folder);

    [[nodiscard]] bool isBusy() const
    {
        return m_reading.isBusy() || m_sources.store.others().isComparing();
    }

Q_SIGNALS:
    void openWanted(const QString& folder);
    // Other runs are beside the one in view now.
    void compared();

private:
    using Read = std::shared_ptr<const ReadRuns>;

    void receive(const Read& read);
    void updateActions();
    [[nodiscard]] bool isInView(const QString& folder) const;

    Sources m_sources;
    ViewActions m_actions;
    QWidget& m_window;
    QStringList m_afterOpening;  // the one that is to be opened first, then those beside it
    widgets::LatestTask<Read> m_reading;
};

}  // namespace qs::app
