#include "widgets/measured/work_facts.h"

#include "core/report/words/evidence_text.h"
#include "widgets/models/number_text.h"

#include <QStringList>

#include <algorithm>

namespace qs::widgets {

namespace {

using Text = MeasuredWords;
using Facts = std::vector<MeasuredFact>;

// The longest alone: all of them are in the file.
void addProfile(const core::PassProfile& profile, bool cpu, Facts& facts)
{
    constexpr std::size_t kShown = 8;
    if (profile.kernels.empty())
        return;
    addFact(facts, Text::tr("Busy"),
            (cpu ? Text::tr("%1 of %2, %3 operations") : Text::tr("%1 of %2, %3 launches"))
                .arg(durationText(profile.busySeconds, 3), durationText(profile.passSeconds, 3),
                     meanCountText(profile.launches, 5)),
            Text::tr("Of a pass under the profiler, after the samples: while at least one kernel "
                     "of the GPU, or operation of the CPU, ran"));
    QStringList kernels;
    for (std::size_t i = 0; i < std::min(kShown, profile.kernels.size()); ++i) {
        const core::KernelTime& kernel = profile.kernels[i];
        kernels << QStringLiteral("%1 ×%2 %3")
                       .arg(durationText(kernel.seconds, 3), meanCountText(kernel.calls, 3),
                            QString::fromStdString(kernel.name));
    }
    addFact(facts, cpu ? Text::tr("Longest operations") : Text::tr("Longest kernels"),
            kernels.join(QLatin1Char('\n')),
            Text::tr("Per pass: time of all calls together, calls, name"));
}

void addStorage(const core::StorageReport& storage, Facts& facts)
{
    QStringList faults;
    for (const core::StorageOffender& each : storage.offenders)
        faults << QString::fromStdString(core::storageFaultText(each));
    const auto more = storage.offenderCount - static_cast<std::int64_t>(faults.size());
    if (more > 0)
        faults << Text::tr("%1 more").arg(more);
    addFact(facts, Text::tr("Weights"), faults.join(QLatin1Char('\n')),
            Text::tr("Weights that do not take the bytes of their scheme"));
}

}  // namespace

std::vector<MeasuredFact> workFacts(const core::Measurement& row)
{
    Facts facts;
    if (row.result.profile)
        addProfile(*row.result.profile, row.config.device == "cpu", facts);
    addStorage(row.result.storage, facts);
    return facts;
}

}  // namespace qs::widgets
