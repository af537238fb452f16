#pragma once

#include "core/analysis/run_comparison.h"
#include "widgets/background/latest_task.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace qs::widgets {

// A run that can be laid beside the one in view, as it was read. Never changes, so that any thread
// may read it.
struct OtherRun {
    QString name;  // short, of its folder
    core::RunData data;
    core::RunFigures figures;
    core::Analysis analysis;  // points into the data

    [[nodiscard]] core::RunSide side() const
    {
        return {.data = &data, .figures = &figures, .analysis = &analysis};
    }
};

// For headings and captions. The end tells runs of one day apart, the beginning those of several
// models.
[[nodiscard]] QString shortRunName(const QString& name);

// A run that is laid beside the one in view, with what the comparison of both came to.
struct RunBeside {
    std::shared_ptr<const OtherRun> run;
    // `before` is the run in view, `after` the other one. Of `before` the cells of the plan may be
    // gone while the run in view grows: ask it for nothing but its own figures.
    core::RunComparison comparison;

    std::shared_ptr<const core::Analysis> before = {};  // what the comparison points into
    // Places of the matched cells, by the id of the cell of the run in view.
    std::unordered_map<std::string, std::size_t> places = {};

    // Null if only one of the runs has the cell.
    [[nodiscard]] const core::MatchedCell* find(const std::string& cellId) const;
    // The cell of the run in view that a cell of the other run is matched with; null if none is.
    [[nodiscard]] const core::MatchedCell* findOther(const std::string& cellId) const;
};

// The runs that are laid beside the one in view, compared with it on a thread of the pool; again
// when that one has changed. GUI thread.
class OtherRuns final : public QObject
{
    Q_OBJECT

public:
    using Beside = std::vector<std::shared_ptr<const RunBeside>>;

    // Plots and tables of more cannot be read.
    static constexpr std::size_t kMost = 3;

    // The run in view as it is now.
    struct Own {
        std::function<std::shared_ptr<const core::RunData>()> data;
        std::function<std::shared_ptr<const core::Analysis>()> analysis;
    };

    explicit OtherRuns(Own own, QObject* parent = nullptr);

    // In place of those of before, at most kMost; none: the run in view is alone again.
    void lay(std::vector<std::shared_ptr<const OtherRun>> runs);
    void leave() { lay({}); }
    // Again: the run in view has changed.
    void compare();
    [[nodiscard]] const std::vector<std::shared_ptr<const OtherRun>>& laid() const
    {
        return m_laid;
    }
    // Those that have been compared; empty before the first comparison is made.
    [[nodiscard]] const Beside& beside() const { return m_beside; }
    [[nodiscard]] bool isComparing() const { return m_task.isBusy(); }

    // The one whose images are shown, a place in beside().
    void show(std::size_t place);
    [[nodiscard]] const RunBeside* shown() const;

Q_SIGNALS:
    // Other runs, other figures of them, or none any more.
    void changed();
    // Images of another one are to be seen.
    void shownChanged();

private:
    using Compared = std::shared_ptr<const Beside>;

    Own m_own;
    std::vector<std::shared_ptr<const OtherRun>> m_laid;
    Beside m_beside;
    std::size_t m_shown = 0;
    LatestTask<Compared> m_task;
};

}  // namespace qs::widgets
