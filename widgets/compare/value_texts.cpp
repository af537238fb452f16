#include "widgets/compare/value_texts.h"

#include "core/sweep/metric.h"
#include "widgets/compare/compare_text.h"
#include "widgets/compare/token_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace qs::widgets {

namespace {

constexpr std::size_t kShownPrompt = 400;  // tokens; more is no reading

struct ValueTextsText {
    Q_DECLARE_TR_FUNCTIONS(ValueTexts)
};

// The metrics that say of one sample how far it is, the one that orders them first.
std::vector<const core::OutputMetric*> sampleMetrics(core::OutputKind kind)
{
    const core::MetricRegistry& registry = core::metricRegistry();
    std::vector<const core::OutputMetric*> metrics{&registry.distanceOf(kind)};
    // Whether the first class is the same is yes or no: what orders the rest says more.
    for (const char* finer : {"kl_divergence", "relative_l2"}) {
        const core::OutputMetric* metric = registry.findOutput(finer);
        if (metric != nullptr && metric->appliesTo(kind) && metric != metrics.front() &&
            metrics.size() < 2)
            metrics.push_back(metric);
    }
    return metrics;
}

double distanceIn(const core::OutputMetric& metric, const core::OutputQuality* quality)
{
    if (quality == nullptr)
        return -1.0;
    const auto value = quality->find(metric.name);
    return value ? metric.distance(*value) : 0.0;
}

QString valueText(const core::OutputMetric& metric, const core::OutputQuality& quality)
{
    const auto value = quality.find(metric.name);
    if (!value)
        return quality.identical ? ValueTextsText::tr("equal") : QStringLiteral("–");
    return significantText(*value, std::min(metric.digits, 5));
}

// "[3, 17]" of a place in an output; the plain number in one of a single dimension.
QString indexText(std::size_t index, const std::vector<std::int64_t>& shape)
{
    QStringList parts;
    for (auto size = shape.rbegin(); size != shape.rend(); ++size) {
        const auto length = static_cast<std::size_t>(std::max<std::int64_t>(1, *size));
        parts.prepend(QString::number(index % length));
        index /= length;
    }
    return parts.size() == 1 ? parts.front()
                             : QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

QString percentText(double fraction)
{
    // Below a hundredth of a percent nobody reads digits.
    return fraction > 0.0 && fraction < 1e-4
               ? QStringLiteral("< %1 %").arg(QLocale().toString(0.01, 'f', 2))
               : QStringLiteral("%1 %").arg(QLocale().toString(100.0 * fraction, 'f', 2));
}

// A rank of a cell beside the same rank of the reference.
std::vector<ValueCell> rankCells(const LoadedValues& loaded, const CellValues& values,
                                 const CellValues* reference, std::size_t rank)
{
    if (rank >= values.best.size())
        return {{QStringLiteral("–")}, {}};
    const core::RankedScore& score = values.best[rank];
    ValueCell name{QString::number(score.index)};
    if (loaded.tokenizer) {
        const QString text = tokenText(*loaded.tokenizer, static_cast<std::int64_t>(score.index));
        if (text != name.text)
            name.text += QStringLiteral("  ") + text;
    }
    if (reference != nullptr && !reference->best.empty()) {
        const auto& best = reference->best;
        const bool known = std::any_of(best.begin(), best.end(), [&](const auto& other) {
            return other.index == score.index;
        });
        const bool same = rank < best.size() && best[rank].index == score.index;
        name.mark = same    ? ValueMark::None
                    : known ? ValueMark::Different
                            : ValueMark::FirstDifferent;
        if (!known)
            name.tip = ValueTextsText::tr("Not among the likeliest of the reference.");
    }
    return {name,
            {percentText(score.probability), ValueMark::None,
             ValueTextsText::tr("score %1").arg(significantText(score.score, 5))}};
}

}  // namespace

std::vector<ComparedSample> samplesWorstFirst(const core::RunData& data,
                                              const core::PlannedCell& cell,
                                              const std::string& environmentId, int kept)
{
    std::map<int, const core::OutputQuality*> known;
    for (int sample = 0; sample < kept; ++sample)
        known[sample] = nullptr;
    const bool isReference = cell.id == cell.referenceId;
    for (const core::OutputQuality& quality : data.qualities) {
        if (quality.referenceId != cell.referenceId || quality.environmentId != environmentId)
            continue;
        if (isReference)
            known.try_emplace(quality.sample, nullptr);
        else if (quality.cellId == cell.id)
            known[quality.sample] = &quality;
    }
    std::vector<ComparedSample> samples;
    for (const auto& [sample, quality] : known)
        samples.push_back({sample, quality});
    const auto metrics = sampleMetrics(cell.output);
    const auto farther = [&](const ComparedSample& a, const ComparedSample& b) {
        for (const core::OutputMetric* metric : metrics) {
            const double left = distanceIn(*metric, a.quality);
            const double right = distanceIn(*metric, b.quality);
            if (left != right)
                return left > right;
        }
        return false;
    };
    std::stable_sort(samples.begin(), samples.end(), farther);
    return samples;
}

QString sampleName(const core::RunData& data, int sample)
{
    const auto index = static_cast<std::size_t>(sample);
    return index < data.pictureNames.size() ? QString::fromStdString(data.pictureNames[index])
                                            : ValueTextsText::tr("Sample %1").arg(sample + 1);
}

ValueTable sampleTable(const core::RunData& data, core::OutputKind kind,
                       const std::vector<ComparedSample>& samples)
{
    ValueTable table;
    const auto metrics = sampleMetrics(kind);
    for (const core::OutputMetric* metric : metrics)
        // A word under the other: the numbers are narrow, and the sample beside them needs the
        // room.
        table.columns
            << QString::fromStdString(metric->title).replace(QLatin1Char(' '), QLatin1Char('\n'));
    for (const ComparedSample& each : samples) {
        table.rows << sampleName(data, each.sample);
        std::vector<ValueCell> row;
        for (const core::OutputMetric* metric : metrics)
            row.push_back(
                {each.quality == nullptr ? QStringLiteral("–") : valueText(*metric, *each.quality),
                 ValueMark::None, QString::fromStdString(metric->about)});
        table.cells.push_back(std::move(row));
    }
    return table;
}

ValueTable figureTable(const core::RunData& data, const ValuesRequest& request,
                       const std::string& environmentId)
{
    ValueTable table;
    std::vector<const core::OutputQuality*> recorded;
    for (const ValueSource& cell : request.cells) {
        table.columns << cell.label;
        recorded.push_back(findQuality(data, {cell.output.cellId, request.reference.output.cellId,
                                              environmentId, request.sample}));
    }
    for (const core::OutputMetric& metric : core::metricRegistry().outputMetrics()) {
        const auto has = [&](const core::OutputQuality* quality) {
            return quality != nullptr && quality->find(metric.name);
        };
        if (!metric.appliesTo(request.kind) || std::none_of(recorded.begin(), recorded.end(), has))
            continue;
        table.rows << QString::fromStdString(metric.title);
        std::vector<ValueCell> row;
        for (const core::OutputQuality* quality : recorded)
            row.push_back({quality == nullptr ? QStringLiteral("–") : valueText(metric, *quality),
                           ValueMark::None, QString::fromStdString(metric.about)});
        table.cells.push_back(std::move(row));
    }
    return table;
}

ValueTable scoreTable(const LoadedValues& loaded)
{
    ValueTable table;
    std::size_t ranks = loaded.reference.best.size();
    table.columns << ValueTextsText::tr("Reference") << ValueTextsText::tr("Probability");
    for (std::size_t i = 0; i < loaded.cells.size(); ++i) {
        table.columns << loaded.request.cells[i].label << ValueTextsText::tr("Probability");
        ranks = std::max(ranks, loaded.cells[i].best.size());
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        table.rows << QString::number(rank + 1);
        std::vector<ValueCell> row = rankCells(loaded, loaded.reference, nullptr, rank);
        for (const CellValues& cell : loaded.cells) {
            const auto cells = rankCells(loaded, cell, &loaded.reference, rank);
            row.insert(row.end(), cells.begin(), cells.end());
        }
        table.cells.push_back(std::move(row));
    }
    return table;
}

ValueTable differenceTable(const LoadedValues& loaded)
{
    ValueTable table;
    if (loaded.cells.empty())
        return table;
    table.columns << ValueTextsText::tr("Index") << ValueTextsText::tr("Reference")
                  << loaded.request.cells.front().label << ValueTextsText::tr("Difference");
    for (const core::ValueDifference& each : loaded.cells.front().largest) {
        table.rows << QString::number(table.rows.size() + 1);
        table.cells.push_back({{indexText(each.index, loaded.shape)},
                               {significantText(static_cast<double>(each.reference), 5)},
                               {significantText(static_cast<double>(each.value), 5)},
                               {significantText(each.difference(), 3)}});
    }
    return table;
}

QString scoreHeading(const LoadedValues& loaded)
{
    const QString what = loaded.request.kind == core::OutputKind::Classes
                             ? ValueTextsText::tr("Most likely classes")
                             : ValueTextsText::tr("Most likely tokens");
    if (loaded.positions < 2)
        return what;
    return (loaded.mostDifferent
                ? ValueTextsText::tr("%1 at position %2 of %3, where the logits differ most")
                : ValueTextsText::tr("%1 at position %2 of %3"))
        .arg(what)
        .arg(loaded.position + 1)
        .arg(loaded.positions);
}

QString promptText(const LoadedValues& loaded)
{
    // What fills a prompt up is no part of it.
    const auto first = std::find_if(loaded.prompt.begin(), loaded.prompt.end(),
                                    [&](std::int64_t id) { return id != loaded.request.pad; });
    const std::vector<std::int64_t> prompt(first, loaded.prompt.end());
    const std::vector<std::int64_t> shown(
        prompt.begin(),
        prompt.begin() + static_cast<std::ptrdiff_t>(std::min(prompt.size(), kShownPrompt)));
    QStringList ids;
    for (const std::int64_t id : shown)
        ids << QString::number(id);
    QString text = loaded.tokenizer
                       ? QString::fromStdString(loaded.tokenizer->decode(shown)).simplified()
                       : ids.join(QLatin1Char(' '));
    if (prompt.size() > kShownPrompt)
        text += QStringLiteral(" …");
    return ValueTextsText::tr("Prompt (%1): %2")
        .arg(countedText(static_cast<qsizetype>(prompt.size()), ValueTextsText::tr("1 token"),
                         ValueTextsText::tr("%1 tokens")),
             text);
}

QString missingText(const LoadedValues& loaded)
{
    QStringList lines;
    const auto add = [&](const QString& label, const QString& problem) {
        if (!problem.isEmpty())
            lines << ValueTextsText::tr("%1: %2").arg(label, problem);
    };
    const bool same = !loaded.reference.problem.isEmpty() &&
                      std::all_of(loaded.cells.begin(), loaded.cells.end(), [&](const auto& cell) {
                          return cell.problem == loaded.reference.problem;
                      });
    if (same)
        return ValueTextsText::tr(
            "The outputs of this sample were not saved in the run folder; the figures "
            "are those of the run.");
    add(ValueTextsText::tr("Reference"), loaded.reference.problem);
    for (std::size_t i = 0; i < loaded.cells.size(); ++i)
        add(loaded.request.cells[i].label, loaded.cells[i].problem);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace qs::widgets
