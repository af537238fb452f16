#include "widgets/measured/measured_text.h"

#include "core/report/words/compile_text.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/note_text.h"
#include "core/stats/autocorrelation.h"
#include "core/stats/quantiles.h"
#include "core/sweep/worker_variables.h"
#include "widgets/measured/device_facts.h"
#include "widgets/measured/work_facts.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/number_text.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>

namespace qs::widgets {

namespace {

using Text = MeasuredWords;

// "linear bfloat16 ×52"; words that a line can be broken between.
QString operationText(const core::ExecutedProduct& product)
{
    QString operation = QString::fromStdString(product.operation);
    if (operation.startsWith(QLatin1String("aten::")))
        operation.remove(0, 6);
    const std::string_view type = core::name(product.type);
    return QStringLiteral("%1 %2 ×%3")
        .arg(operation.replace(QLatin1Char('_'), QLatin1Char(' ')).trimmed(),
             QString::fromUtf8(type.data(), static_cast<qsizetype>(type.size())))
        .arg(product.ran);
}

QString toText(const std::string& text)
{
    return QString::fromStdString(text);
}

// Collects the lines that have something to say.
class FactList
{
public:
    explicit FactList(const MeasuredRow& measured)
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
        for (MeasuredFact& fact : workFacts(m_row))
            m_facts.push_back(std::move(fact));
        for (MeasuredFact& fact : deviceFacts(m_row, m_course))
            m_facts.push_back(std::move(fact));
        addNotes();
        return std::move(m_facts);
    }

private:
    void add(const QString& name, const QString& text, const QString& explanation)
    {
        addFact(m_facts, name, text, explanation);
    }

    void addOutcome()
    {
        if (!m_row.ok())
            add(Text::tr("Outcome"),
                QStringList{toText(std::string(core::name(m_row.status()))),
                            toText(core::failureText(*m_row.failure))}
                    .join(QStringLiteral(": ")),
                QString::fromStdString(m_row.logTail));
        // "2026-11-22T08:02:39Z" in a narrow column needs a place to break.
        QString began = QString::fromStdString(m_row.startedAt);
        began.replace(QLatin1Char('T'), QLatin1Char(' '));
        add(Text::tr("When"),
            Text::tr("%1, took %2").arg(began, durationText(m_row.durationSeconds, 3)),
            Text::tr("UTC; the whole cell in this round, including the start of its process"));
        addLoad();
    }

    void addLoad()
    {
        const core::HostLoad& load = m_result.load;
        QStringList parts;
        if (load.othersDuring)
            parts << Text::tr("other processes used %1 of %2 cores")
                         .arg(QLocale().toString(*load.othersDuring, 'f', 1))
                         .arg(load.cores);
        if (load.averageBefore)
            parts
                << Text::tr("load before %1").arg(QLocale().toString(*load.averageBefore, 'f', 1));
        add(load.disturbed() ? Text::tr("Other load (disturbed)") : Text::tr("Other load"),
            parts.join(QStringLiteral(", ")),
            Text::tr("CPU time of processes outside this run while the cell ran, and the load "
                     "average of the minute before"));
    }

    void addExecuted()
    {
        add(Text::tr("Executed"), toText(core::executedText(m_result.executed)),
            Text::tr("What the worker actually ran, not what was requested"));
        add(Text::tr("Quantized by"), toText(core::activationText(m_result.executed)),
            Text::tr("How activations are quantized in each pass"));
        QStringList operations;
        for (const core::ExecutedProduct& product : core::productsOf(m_result.executed))
            operations << operationText(product);
        add(Text::tr("Operations"), operations.join(QStringLiteral(", ")),
            Text::tr("Operations of one pass, all stages: name, dtype, count"));
        add(Text::tr("Attention"), QString::fromStdString(m_result.attention),
            Text::tr("The kernel that PyTorch chose"));
        add(Text::tr("Distance to eager"), toText(core::packageDistanceText(m_result.compiles)),
            Text::tr("Relative L2 of each compiled stage from the same operations run eagerly on "
                     "the same inputs, and the most that was allowed: more where activations are "
                     "quantized, which a last bit moves to the next code"));
        add(Text::tr("Fused kernels"), toText(core::fusedText(m_result.compiles)),
            Text::tr("Launches of one pass in kernels of QuantScope, and what PyTorch launches "
                     "beside them"));
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
            text = Text::tr("%1, %2 of them discarded")
                       .arg(countText(all), countText(m_result.discards.size()));
        if (m_result.passesPerSample > 1)
            text +=
                Text::tr("; each the mean of %1 consecutive passes").arg(m_result.passesPerSample);
        add(Text::tr("Samples"), text,
            Text::tr("A sample is one timed pass, or the mean of a block of passes that are too "
                     "short for the clock."));
        if (m_result.distinctBatches > 1)
            add(Text::tr("Distinct batches"), QLocale().toString(m_result.distinctBatches),
                Text::tr("Batches of different inputs that the passes took turns with. Their way "
                         "into the fixed inputs of a pass is not timed unless they come from the "
                         "host"));
        add(Text::tr("Memory self-test"), toText(core::selfTestText(m_result.memory.selfTest)),
            Text::tr("A block of known size is allocated and freed before the cell; memory figures "
                     "are shown only if every memory counter agreed"));
        add(Text::tr("Conditions"),
            m_result.conditions ? toText(core::conditionsText(*m_result.conditions)) : QString(),
            Text::tr("Conditions of the passes: input placement, caches, how the work was queued"));
        if (m_row.config.env != core::kNoVariables)
            add(Text::tr("Environment variables"), toText(m_row.config.env),
                Text::tr("Set by the preset for the process of this cell"));
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
            device.isEmpty() ? Text::tr("Median of one pass by the clock of the host, the only "
                                        "clock of a CPU. The headline number.")
                             : Text::tr("The same passes by the clock of the host, including "
                                        "launches and the wait for completion"));
        add(Text::tr("End to end"), medianText(m_result.endToEndSeconds),
            Text::tr("From a batch in host memory to the end of its pass"));
        add(Text::tr("Input copy"), medianText(m_result.copySeconds),
            Text::tr("The copy of that batch to the device alone, by the device's clock"));
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
                     "sample. A change of more than 1 % over all samples is reported as drift."));
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
            Text::tr("The share of passes that are faster. With fewer samples than needed the "
                     "percentile would equal the maximum."));
    }

    void addAutocorrelation()
    {
        const double rho = m_summary->autocorrelation;
        const QString number = significantText(rho, 2);
        QString text;
        if (rho > core::kNotableAutocorrelation)
            text = Text::tr("%1: consecutive samples are correlated; %2 samples are worth %3 "
                            "independent samples")
                       .arg(number, countText(m_summary->count),
                            significantText(m_summary->effectiveCount, 2));
        else if (rho < -core::kNotableAutocorrelation)
            text = Text::tr("%1: slow and fast samples alternate; all %2 samples count in full")
                       .arg(number, countText(m_summary->count));
        else
            text =
                Text::tr("%1: consecutive samples are uncorrelated; all %2 samples count in full")
                    .arg(number, countText(m_summary->count));
        add(Text::tr("Autocorrelation"), text,
            Text::tr("Correlation of each sample with the next (lag 1). Above %1 the interval is "
                     "widened, as for fewer samples.")
                .arg(QLocale().toString(core::kNotableAutocorrelation)));
    }

    void addOutliers()
    {
        const core::OutlierCounts& counts = m_summary->outliers;
        QString text = counts.mild + counts.severe == 0
                           ? Text::tr("none")
                           : Text::tr("%1 mild, %2 severe; all of them kept")
                                 .arg(countText(counts.mild), countText(counts.severe));
        if (m_summary->hasManySevereOutliers())
            text += Text::tr(": the measurement was disturbed");
        add(Text::tr("Outliers"), text,
            Text::tr("Samples more than 1.5 (mild) or 3 (severe) interquartile ranges outside the "
                     "quartiles (Tukey). A slow sample without a known cause is never dropped."));
    }

    void addEnds()
    {
        if (m_result.warmupPasses > 0)
            add(Text::tr("Warm-up"),
                Text::tr("%1 passes, ended by: %2")
                    .arg(countText(static_cast<std::size_t>(m_result.warmupPasses)),
                         toText(core::warmupEndText(m_result.warmupEnd))),
                Text::tr("Passes before the first sample, until their times are steady"));
        if (!core::allSamples(m_result).empty())
            add(Text::tr("Sampling ended by"), toText(core::stopReasonText(m_result.stopReason)),
                Text::tr("Why sampling ended"));
    }

    void addDiscards()
    {
        QStringList causes;
        for (const core::Discard& discard : m_result.discards) {
            if (const QString cause = toText(core::discardText(discard)); !causes.contains(cause))
                causes << cause;
        }
        if (!causes.isEmpty())
            add(Text::tr("Discarded"),
                Text::tr("%1: %2").arg(countText(m_result.discards.size()),
                                       causes.join(QStringLiteral("; "))),
                Text::tr("Samples discarded for a recorded cause; drawn as crosses"));
    }

    void addNotes()
    {
        QStringList notes;
        for (const std::string& note : core::noteTexts(m_result.notes))
            notes << toText(note);
        add(Text::tr("Notes"), notes.join(QLatin1Char('\n')), Text::tr("Notes from the worker"));
    }

    const core::Measurement& m_row;
    const core::CellResult& m_result;
    const core::MeasuredCourse& m_course;
    const std::optional<core::SampleSummary>& m_summary;
    std::vector<MeasuredFact> m_facts;
};

}  // namespace

std::vector<MeasuredFact> measuredFacts(const MeasuredRow& measured)
{
    return FactList(measured).all();
}

QString noTraceText(const core::Measurement& row)
{
    if (!row.result.trace.points.empty())
        return {};
    if (row.config.device == "cpu")
        return Text::tr("Clocks, power and temperature are not recorded on a CPU.");
    return Text::tr("No record of clocks and power: not reported by the driver.");
}

}  // namespace qs::widgets
