#include "core/analysis/measured_run.h"

#include <utility>

namespace qs::core {

Result<MeasuredRun> readMeasuredRun(const std::filesystem::path& folder, RowPlace rows)
{
    MeasuredRun run;
    const auto parser = [&run](const Measurement& parsed) {
        return [&run, figures = figuresOf(parsed)](const Measurement& row) mutable {
            run.figures.add(row, std::move(figures));
            return Status();
        };
    };
    QS_TRY(run.data, scanRunFolder(folder, parser, rows));
    return run;
}

}  // namespace qs::core
