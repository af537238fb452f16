#include "widgets/measured/measured_text.h"

#include "core/record/device_figures.h"
#include "core/stats/autocorrelation.h"
#include "core/stats/quantiles.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <array>

namespace qs::widgets {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(MeasuredText)
};

QString fromUtf8(const std::string& text)
{
    return QString::fromStdString(text);
}

QString countText(std::size_t count)
{
    return QLocale().toString(static_cast<qulonglong>(count));
}

QString percentText(double fraction, int digits)
{
    return Text::tr("%1 %").arg(significantText(100.0 * fraction, digits));
}

// "aten::linear:bfloat16 x52" in words that a line can be broken between.
QString operationText(const std::string& operation)
{
    QString text = fromUtf8(operation);
    if (text.startsWith(QLatin1String("aten::")))
        text.remove(0, 6);
    return text.replace(QLatin1Char(':'), QLatin1Char(' '))
        .replace(QLatin1String(" x"), QStringLiteral(" ×"));
}

// Collects the lines that have something to say.
class Facts
{
public:
    explicit Facts(const MeasuredRow& measured)
        : m_row(measured.row),
          m_result(measured.row.result),
          m_course(measured.course),
          m_summary(measured.summary)
    {
    }

    std::vector<MeasuredFact> all()
    {
        addOutcome();
        addExecuted();
        addSamples();
        addTimes();
        if (m_summary) {
            addSpread();
            addPercentiles();
            addAutocorrelation();
            addOutliers();
        }
        addEnds();
        addDiscards();
        addDevice();
        addCapped();
        addEnergy();
        addForeign();
        addNotes();
        return std::move(m_facts);
    }

private:
    void add(const QString& name, const QString& text, const QString& explanation)
    {
        if (!text.isEmpty())
            m_facts.push_back({name, text, explanation});
    }

    void addOutcome()
    {
        if (!m_row.ok())
            add(Text::tr("Outcome"),
                QStringList{fromUtf8(std::string(core::name(m_row.status))), fromUtf8(m_row.reason)}
                    .join(QStringLiteral(": ")),
                fromUtf8(m_row.logTail));
        // "2026-11-22T08:02:39Z" in a narrow column needs a place to break.
        QString began = fromUtf8(m_row.startedAt);
        began.replace(QLatin1Char('T'), QLatin1Char(' '));
        add(Text::tr("When"),
            Text::tr("%1, took %2").arg(began, durationText(m_row.durationSeconds, 3)),
            Text::tr("UTC; the whole cell in this round, start of its process included"));
    }

    void addExecuted()
    {
        add(Text::tr("What ran"), fromUtf8(m_result.executed),
            Text::tr("What the worker saw itself run, not what was asked for"));
        QStringList operations;
        for (const std::string& operation : m_result.operations)
            operations << operationText(operation);
        add(Text::tr("Operations"), operations.join(QStringLiteral(", ")),
            Text::tr("Of one pass, all stages: operation, type of its numbers, how often"));
        add(Text::tr("Attention"), fromUtf8(m_result.attention),
            Text::tr("The kernel that PyTorch chose"));
        if (m_result.graphLaunches > 0)
            add(Text::tr("CUDA graphs"),
                Text::tr("%1 launched per pass").arg(m_result.graphLaunches),
                Text::tr("Proof that the pass was replayed from graphs"));
    }

    void addSamples()
    {
        const std::size_t all = core::allSamples(m_result).size();
        if (all == 0)
            return;
        QString text = countText(all);
        if (!m_result.discards.empty())
            text = Text::tr("%1, of which %2 do not count")
                       .arg(countText(all), countText(m_result.discards.size()));
        if (m_result.passesPerSample > 1)
            text += Text::tr("; each the mean of %1 passes in a row").arg(m_result.passesPerSample);
        add(Text::tr("Samples"), text,
            Text::tr("A sample is one timed pass. Passes that are too short for the clock are "
                     "timed several in a row."));
        add(Text::tr("Memory self-test"), fromUtf8(m_result.memory.sentinel),
            Text::tr("Before the cell a block of known size was taken and given back; memory "
                     "figures are shown only if all books saw just that"));
        add(Text::tr("Conditions"), fromUtf8(m_result.conditions),
            Text::tr("What the passes found: where inputs lay, what the caches held, how the work "
                     "was queued"));
    }

    // Host and device are two figures and never mixed.
    void addTimes()
    {
        const QString device = medianText(m_result.deviceSeconds);
        if (!device.isEmpty())
            add(Text::tr("Device time"), device,
                Text::tr("Median of one pass between two events on the GPU; in brackets the "
                         "quartiles: half of the samples lie between them. The headline number."));
        const QString host = medianText(m_result.hostSeconds);
        add(Text::tr("Host time"), host,
            device.isEmpty()
                ? Text::tr("Median of one pass by the clock of the host; a CPU has no other. The "
                           "headline number.")
                : Text::tr("The same passes by the clock of the host, with their launches and the "
                           "wait for the end"));
        add(Text::tr("End to end"), medianText(m_result.endToEndSeconds),
            Text::tr("From a batch in the memory of the host to its pass being done"));
    }

    QString medianText(const std::vector<double>& samples) const
    {
        const std::vector<double> counted = samples.size() == core::allSamples(m_result).size()
                                                ? m_result.counted(samples)
                                                : samples;
        const auto summary = core::summarize(counted);
        if (!summary)
            return {};
        const int digits = summary->significantDigits;
        return Text::tr("%1 [%2 … %3]")
            .arg(durationText(summary->quartiles.median, digits),
                 durationText(summary->quartiles.lower, digits + 1),
                 durationText(summary->quartiles.upper, digits + 1));
    }

    void addSpread()
    {
        QStringList parts;
        if (m_summary->coefficientOfVariation)
            parts << Text::tr("CV %1").arg(percentText(*m_summary->coefficientOfVariation, 2));
        parts << Text::tr("%1 … %2").arg(durationText(m_summary->minimum, 4),
                                         durationText(m_summary->maximum, 4));
        if (m_summary->isDrifting())
            parts << Text::tr("drifting: %1 from the first to the last")
                         .arg(percentText(m_summary->trend, 2));
        add(Text::tr("Spread"), parts.join(QStringLiteral(" · ")),
            Text::tr("CV: standard deviation over the mean. Then the fastest and the slowest "
                     "sample. A change of more than 1 % over all samples is called drift."));
    }

    void addPercentiles()
    {
        QStringList parts;
        const std::array<std::pair<int, std::optional<double>>, 3> percentiles{
            {{90, m_summary->p90}, {95, m_summary->p95}, {99, m_summary->p99}}};
        for (const auto& [percent, value] : percentiles)
            parts << (value ? Text::tr("p%1 %2").arg(percent).arg(durationText(*value, 4))
                            : Text::tr("p%1 needs %2 samples")
                                  .arg(percent)
                                  .arg(countText(core::samplesNeededFor(percent))));
        add(Text::tr("Percentiles"), parts.join(QStringLiteral(" · ")),
            Text::tr("So many per cent of the passes are faster. With fewer samples than needed "
                     "the number would only be the maximum under another name."));
    }

    void addAutocorrelation()
    {
        const double rho = m_summary->autocorrelation;
        const QString number = significantText(rho, 2);
        QString text;
        if (rho > core::kNotableAutocorrelation)
            text = Text::tr("%1: neighbours repeat each other; the %2 samples are worth %3 "
                            "independent ones")
                       .arg(number, countText(m_summary->count),
                            significantText(m_summary->effectiveCount, 2));
        else if (rho < -core::kNotableAutocorrelation)
            text = Text::tr("%1: slow and fast take turns; all %2 samples count in full")
                       .arg(number, countText(m_summary->count));
        else
            text = Text::tr("%1: neighbours do not tell of each other; all %2 samples count in "
                            "full")
                       .arg(number, countText(m_summary->count));
        add(Text::tr("Autocorrelation"), text,
            Text::tr("Correlation of each sample with the next (lag 1). Above %1 the interval is "
                     "made wider, as if there were fewer samples.")
                .arg(QLocale().toString(core::kNotableAutocorrelation)));
    }

    void addOutliers()
    {
        const core::OutlierCounts& counts = m_summary->outliers;
        QString text = counts.mild + counts.severe == 0
                           ? Text::tr("none")
                           : Text::tr("%1 mild, %2 severe; shown and kept")
                                 .arg(countText(counts.mild), countText(counts.severe));
        if (m_summary->hasManySevereOutliers())
            text += Text::tr(": something disturbed the measurement");
        add(Text::tr("Outliers"), text,
            Text::tr("Samples more than 1.5 (mild) or 3 (severe) quartile ranges outside the "
                     "quartiles (Tukey). A slow sample without a known cause is part of the "
                     "truth."));
    }

    void addEnds()
    {
        if (m_result.warmupPasses > 0)
            add(Text::tr("Warm-up"),
                Text::tr("%1 passes, ended by: %2")
                    .arg(countText(static_cast<std::size_t>(m_result.warmupPasses)),
                         fromUtf8(m_result.warmupEnd)),
                Text::tr("Passes before the first sample, until they no longer change"));
        add(Text::tr("Stopped by"), fromUtf8(m_result.stopReason),
            Text::tr("Why no more samples were taken"));
    }

    void addDiscards()
    {
        QStringList causes;
        for (const core::Discard& discard : m_result.discards) {
            if (const QString cause = fromUtf8(discard.cause); !causes.contains(cause))
                causes << cause;
        }
        if (!causes.isEmpty())
            add(Text::tr("Discarded"),
                Text::tr("%1: %2").arg(countText(m_result.discards.size()),
                                       causes.join(QStringLiteral("; "))),
                Text::tr("Samples that do not count, for a cause that was seen from outside; they "
                         "are drawn as crosses"));
    }

    void addDevice()
    {
        const core::DeviceTrace& trace = m_result.trace;
        QStringList parts;
        if (m_course.clock) {
            const QString range = Text::tr("%1 … %2 MHz")
                                      .arg(QLocale().toString(m_course.clock->lower, 'f', 0),
                                           QLocale().toString(m_course.clock->upper, 'f', 0));
            parts << (trace.maximumClockMegahertz
                          ? Text::tr("%1 of %2")
                                .arg(range,
                                     QLocale().toString(*trace.maximumClockMegahertz, 'f', 0))
                          : range);
        }
        if (m_course.sampling) {
            if (const auto hot =
                    core::hottest(trace, m_course.sampling->lower, m_course.sampling->upper))
                parts << Text::tr("up to %1 °C").arg(QLocale().toString(*hot, 'f', 0));
        }
        add(Text::tr("Clock"), parts.join(QStringLiteral(" · ")),
            Text::tr("SM clock at the samples, of what the device can do, and its temperature "
                     "meanwhile. Read 20 times a second and interpolated at the middle of each "
                     "sample: what the clock does between two readings is not seen"));
        QStringList slow;
        for (const core::SlowdownBand& band : m_course.slowdowns) {
            for (const std::string& reason : band.reasons) {
                if (!slow.contains(fromUtf8(reason)))
                    slow << fromUtf8(reason);
            }
        }
        if (trace.powerCappedSeconds && *trace.powerCappedSeconds > 0.0)
            slow << Text::tr("%1 held back by the power limit")
                        .arg(durationText(*trace.powerCappedSeconds, 2));
        if (trace.thermalCappedSeconds && *trace.thermalCappedSeconds > 0.0)
            slow << Text::tr("%1 held back by heat")
                        .arg(durationText(*trace.thermalCappedSeconds, 2));
        add(Text::tr("Slowed down"), slow.join(QStringLiteral(" · ")),
            Text::tr("What kept the clock down while the cell ran, as the driver says; the bands "
                     "in the plots show when"));
    }

    void addCapped()
    {
        const core::CappedPercent capped = core::cappedWhileSampling(m_result);
        QStringList parts;
        if (capped.power)
            parts << Text::tr("by the power limit %1").arg(percentText(*capped.power / 100.0, 2));
        if (capped.thermal)
            parts << Text::tr("by heat %1").arg(percentText(*capped.thermal / 100.0, 2));
        add(Text::tr("Held down"), parts.join(QStringLiteral(" · ")),
            Text::tr("How much of the time of the samples the driver held the clock down, by its "
                     "own counters, which miss no moment"));
    }

    void addEnergy()
    {
        const auto energy = core::energyOf(m_row);
        if (!energy)
            return;
        const QString text =
            energy->longEnough()
                ? Text::tr("%1 J per picture: %2 J in %3, ± %4")
                      .arg(significantText(energy->joulesPerPicture(), 3),
                           significantText(energy->use.joules, 3),
                           durationText(energy->use.seconds, 3),
                           percentText(energy->use.uncertainty(), 1))
                : Text::tr("window too short: %1 of %2 needed; the sweep can ask for more")
                      .arg(durationText(energy->use.seconds, 2),
                           durationText(core::kShortestEnergyWindow, 2));
        add(Text::tr("Energy"), text,
            energy->ofItsOwnPhase
                ? Text::tr("Of the whole device while passes ran on after the samples, from its "
                           "energy counter, which moves in steps")
                : Text::tr("Of the whole device while samples were taken, from its energy "
                           "counter, which moves in steps"));
    }

    void addForeign()
    {
        QStringList processes;
        for (const std::string& process : m_result.trace.foreignProcesses)
            processes << fromUtf8(process);
        add(Text::tr("Foreign processes"), processes.join(QStringLiteral(", ")),
            Text::tr("Others held memory on the device while the cell ran; they may have taken "
                     "time from it"));
        if (m_result.trace.leftOverBytes)
            add(Text::tr("Left over"),
                Text::tr("%1 GiB").arg(
                    gibibytesText(static_cast<double>(*m_result.trace.leftOverBytes))),
                Text::tr("Held on the device beyond what was held before the first cell, when this "
                         "cell began"));
    }

    void addNotes()
    {
        QStringList notes;
        for (const std::string& note : m_result.notes)
            notes << fromUtf8(note);
        add(Text::tr("Notes"), notes.join(QLatin1Char('\n')), Text::tr("What the worker remarked"));
    }

    const core::Measurement& m_row;
    const core::CellResult& m_result;
    const core::MeasuredCourse& m_course;
    const std::optional<core::SampleSummary>& m_summary;
    std::vector<MeasuredFact> m_facts;
};

}  // namespace

TimeUnit timeUnit(double seconds)
{
    if (seconds >= 1.0)
        return {1.0, Text::tr("s")};
    if (seconds >= 1e-3)
        return {1e3, Text::tr("ms")};
    return {1e6, Text::tr("µs")};
}

QString durationText(double seconds, int digits)
{
    const TimeUnit unit = timeUnit(seconds);
    return QStringLiteral("%1 %2").arg(significantText(seconds * unit.perSecond, digits),
                                       unit.name);
}

std::vector<MeasuredFact> measuredFacts(const MeasuredRow& measured)
{
    return Facts(measured).all();
}

QString noTraceText(const core::Measurement& row)
{
    if (!row.result.trace.points.empty())
        return {};
    if (row.config.device == "cpu")
        return Text::tr("A CPU: clocks, power and temperature are not recorded for it.");
    if (row.result.began <= 0.0)
        return Text::tr("There is no record of clocks and power: this row is of an older version, "
                        "which did not keep one.");
    return Text::tr("There is no record of clocks and power: the driver did not tell.");
}

}  // namespace qs::widgets
