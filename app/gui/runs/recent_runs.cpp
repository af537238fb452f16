#include "app/gui/runs/recent_runs.h"

#include "app/gui/path_text.h"
#include "app/gui/runs/run_summary.h"

#include <QHash>

namespace qs::app {

std::vector<NamedPath> recentRuns(const Settings& settings)
{
    std::vector<NamedPath> runs;
    QHash<QString, int> times;  // that a name is there
    for (const QString& folder : settings.recentRuns()) {
        runs.push_back({folder, runName(pathOf(folder), settings.recentRunName(folder))});
        ++times[runs.back().name];
    }
    for (auto& [folder, name] : runs) {
        const QString own = textOf(pathOf(folder).filename());
        if (name.isEmpty())
            name = own;
        else if (times[name] > 1)
            name += QStringLiteral(" · ") + own;
    }
    return runs;
}

}  // namespace qs::app
