#include "widgets/measured/device_facts.h"

#include "core/analysis/device_figures.h"
#include "core/report/words/evidence_text.h"
#include "widgets/models/number_text.h"

#include <QLocale>
#include <QStringList>

namespace qs::widgets {

namespace {

using Text = MeasuredWords;
using Facts = std::vector<MeasuredFact>;

void addClock(const core::DeviceTrace& trace, const core::MeasuredCourse& course, Facts& facts)
{
    QStringList parts;
    if (course.clock) {
        const QString range = Text::tr("%1 … %2 MHz")
                                  .arg(QLocale().toString(course.clock->lower, 'f', 0),
                                       QLocale().toString(course.clock->upper, 'f', 0));
        parts << (trace.maximumClockMegahertz
                      ? Text::tr("%1 of %2")
                            .arg(range, QLocale().toString(*trace.maximumClockMegahertz, 'f', 0))
                      : range);
    }
    if (course.sampling) {
        if (const auto hot = core::hottest(trace, course.sampling->lower, course.sampling->upper))
            parts << Text::tr("up to %1 °C").arg(QLocale().toString(*hot, 'f', 0));
    }
    addFact(facts, Text::tr("Clock"), parts.join(QStringLiteral(" · ")),
            Text::tr("SM clock during the samples, the maximum of the device, and its temperature. "
                     "Read 20 times a second and interpolated at the middle of each sample: "
                     "changes between two readings are not seen"));
}

void addSlowdowns(const core::DeviceTrace& trace, const core::MeasuredCourse& course, Facts& facts)
{
    QStringList slow;
    for (const core::SlowdownBand& band : course.slowdowns) {
        for (const std::string& reason : band.reasons) {
            if (!slow.contains(QString::fromStdString(reason)))
                slow << QString::fromStdString(reason);
        }
    }
    if (trace.powerCappedSeconds && *trace.powerCappedSeconds > 0.0)
        slow << Text::tr("%1 limited by the power cap")
                    .arg(durationText(*trace.powerCappedSeconds, 2));
    if (trace.thermalCappedSeconds && *trace.thermalCappedSeconds > 0.0)
        slow << Text::tr("%1 limited by temperature")
                    .arg(durationText(*trace.thermalCappedSeconds, 2));
    addFact(facts, Text::tr("Throttled"), slow.join(QStringLiteral(" · ")),
            Text::tr("What limited the clock while the cell ran, as reported by the driver; the "
                     "bands in the plots show when"));
}

void addHeldDown(const core::CellResult& result, Facts& facts)
{
    const core::CappedPercent capped = core::cappedWhileSampling(result);
    QStringList parts;
    if (capped.power)
        parts << Text::tr("power %1").arg(percentText(*capped.power / 100.0, 2));
    if (capped.thermal)
        parts << Text::tr("temperature %1").arg(percentText(*capped.thermal / 100.0, 2));
    addFact(facts, Text::tr("Throttled share"), parts.join(QStringLiteral(" · ")),
            Text::tr("Share of the sampling time in which the driver limited the clock, by its own "
                     "counters, which are continuous"));
}

void addEnergy(const core::Measurement& row, Facts& facts)
{
    const auto energy = core::energyOf(row);
    if (!energy)
        return;
    const QString text =
        energy->longEnough()
            ? Text::tr("%1 J per pass: %2 J in %3, ± %4")
                  .arg(significantText(energy->joulesPerPass(), 3),
                       significantText(energy->use.joules, 3), durationText(energy->use.seconds, 3),
                       percentText(energy->use.uncertainty(), 1))
            : Text::tr("window too short: %1 of %2 needed; set a longer energy time in the sweep")
                  .arg(durationText(energy->use.seconds, 2),
                       durationText(core::kShortestEnergyWindow, 2));
    addFact(facts, Text::tr("Energy"), text,
            energy->ofItsOwnPhase
                ? Text::tr("Of the whole device, during further passes after the samples, from its "
                           "energy counter, which moves in steps")
                : Text::tr("Of the whole device, during the samples, from its energy counter, "
                           "which moves in steps"));
}

void addForeign(const core::DeviceTrace& trace, Facts& facts)
{
    QStringList processes;
    for (const core::ForeignProcess& process : trace.foreignProcesses)
        processes << QString::fromStdString(core::foreignProcessText(process));
    addFact(facts, Text::tr("Foreign processes"), processes.join(QStringLiteral(", ")),
            Text::tr("Other processes held memory on the device while the cell ran and may have "
                     "taken time from it"));
    if (trace.leftOverBytes)
        addFact(facts, Text::tr("Memory left over"),
                Text::tr("%1 GiB").arg(gibibytesText(static_cast<double>(*trace.leftOverBytes))),
                Text::tr("Memory in use on the device when this cell began, beyond that before the "
                         "first cell"));
}

}  // namespace

std::vector<MeasuredFact> deviceFacts(const core::Measurement& row,
                                      const core::MeasuredCourse& course)
{
    Facts facts;
    addClock(row.result.trace, course, facts);
    addSlowdowns(row.result.trace, course, facts);
    addHeldDown(row.result, facts);
    addEnergy(row, facts);
    addForeign(row.result.trace, facts);
    return facts;
}

}  // namespace qs::widgets
