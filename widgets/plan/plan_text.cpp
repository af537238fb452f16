#include "widgets/plan/plan_text.h"

#include "core/report/words/note_text.h"
#include "core/sweep/axis_spec.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace qs::widgets {

namespace {

struct PlanWords {
    Q_DECLARE_TR_FUNCTIONS(PlanText)
};

// The factors, only where they multiply to the number of cells: not with links, exclusions or one
// axis at a time.
QString factors(const core::Plan& plan, int swept)
{
    QStringList parts;
    std::size_t product = 1;
    for (const core::Axis& axis : plan.preset.axes) {
        parts << axisCount(axis);
        product *= axis.values.size();
    }
    const bool multiplies = plan.preset.mode == core::SweepMode::Cross && parts.size() > 1 &&
                            product == static_cast<std::size_t>(swept);
    return multiplies ? parts.join(QStringLiteral(" × ")) + QStringLiteral(" = ") : QString();
}

// Axes that advance together, whose values multiply with no other's: "2 combinations of precision,
// compile mode".
QString linkedCount(const core::LinkedAxes& linked, std::size_t count)
{
    QStringList nouns;
    for (const std::string& name : linked)
        nouns << axisText(name);
    return PlanWords::tr("%1 combinations of %2")
        .arg(QLocale().toString(qulonglong(count)), nouns.join(QStringLiteral(", ")));
}

// Each axis once, linked ones where the first of their group stands.
QStringList axisCounts(const core::Preset& preset)
{
    QStringList counts;
    for (const core::Axis& axis : preset.axes) {
        const auto group = std::find_if(
            preset.linked.begin(), preset.linked.end(), [&](const core::LinkedAxes& linked) {
                return std::find(linked.begin(), linked.end(), axis.name) != linked.end();
            });
        if (group == preset.linked.end())
            counts << axisCount(axis);
        else if (group->front() == axis.name)
            counts << linkedCount(*group, axis.values.size());
    }
    return counts;
}

// No more digits than an estimate deserves: "40 s", "4 min", "2.5 h", "12 days".
QString roundedText(double seconds)
{
    const QLocale locale;
    if (seconds < 90.0)
        return PlanWords::tr("%1 s").arg(
            locale.toString(std::max(5, int(std::ceil(seconds / 5.0)) * 5)));
    const double minutes = seconds / 60.0;
    if (minutes < 90.0)
        return PlanWords::tr("%1 min").arg(locale.toString(int(std::round(minutes))));
    const double hours = minutes / 60.0;
    if (hours >= 72.0)
        return PlanWords::tr("%1 days").arg(locale.toString(hours / 24.0, 'f', 0));
    return PlanWords::tr("%1 h").arg(locale.toString(hours, 'f', hours < 10.0 ? 1 : 0));
}

QString roundedBytesText(std::int64_t bytes)
{
    constexpr double kMebibyte = 1024.0 * 1024.0;
    constexpr double kGibibyte = 1024.0 * kMebibyte;
    const auto size = static_cast<double>(bytes);
    const bool large = size >= kGibibyte;
    const double value = size / (large ? kGibibyte : kMebibyte);
    const QString number = QLocale().toString(std::max(0.1, value), 'f', value < 10.0 ? 1 : 0);
    return large ? PlanWords::tr("%1 GiB").arg(number) : PlanWords::tr("%1 MiB").arg(number);
}

// Time and disk of all that runs.
QString costText(const core::Plan& plan)
{
    constexpr double kWorthSaying = 5.0;  // seconds
    QString text = aboutText(plan.estimatedSeconds());
    if (plan.compileSeconds() >= kWorthSaying)
        text += PlanWords::tr(", %1 of it compiling").arg(roundedText(plan.compileSeconds()));
    return text + QStringLiteral(" · ") +
           PlanWords::tr("%1 on disk").arg(roundedBytesText(plan.estimatedBytes()));
}

}  // namespace

QString axisText(const std::string& axis)
{
    const core::AxisSpec* spec = core::findAxisSpec(axis);
    return QString::fromStdString(spec == nullptr ? axis : spec->noun);
}

QString axisCount(const core::Axis& axis)
{
    const auto count = static_cast<qsizetype>(axis.values.size());
    const core::AxisSpec* spec = core::findAxisSpec(axis.name);
    if (spec == nullptr)
        return QString::fromStdString(axis.name);
    return QStringLiteral("%1 %2").arg(
        QLocale().toString(count), QString::fromStdString(count == 1 ? spec->one : spec->nouns));
}

QString cellsText(int count)
{
    return countedText(count, PlanWords::tr("1 cell"), PlanWords::tr("%1 cells"));
}

PlanCounts countPlan(const core::Plan& plan)
{
    PlanCounts counts;
    for (const core::PlannedCell& cell : plan.cells) {
        const bool swept = cell.role == core::CellRole::Swept;
        counts.swept += swept ? 1 : 0;
        counts.impossible += swept && !cell.possible() ? 1 : 0;
        const bool noise = cell.role == core::CellRole::NoiseFloor;
        counts.references += !swept && !noise && cell.possible() ? 1 : 0;
        counts.noiseFloor += noise && cell.possible() ? 1 : 0;
        counts.possible += cell.possible() ? 1 : 0;
    }
    return counts;
}

QString aboutText(double seconds)
{
    return PlanWords::tr("about %1").arg(roundedText(seconds));
}

QString planSummary(const core::Plan& plan)
{
    const PlanCounts counts = countPlan(plan);
    QString text = factors(plan, counts.swept) + cellsText(counts.swept);
    if (counts.impossible > 0)
        text += PlanWords::tr(" (%1 impossible)").arg(QLocale().toString(counts.impossible));
    if (counts.references > 0)
        text += QStringLiteral(" + ") + countedText(counts.references, PlanWords::tr("1 reference"),
                                                    PlanWords::tr("%1 references"));
    if (counts.noiseFloor > 0)
        text += QStringLiteral(" + ") + countedText(counts.noiseFloor,
                                                    PlanWords::tr("1 noise-floor run"),
                                                    PlanWords::tr("%1 noise-floor runs"));
    if (plan.preset.rounds > 1)
        text += QStringLiteral(" × ") + countedText(plan.preset.rounds, PlanWords::tr("1 repeat"),
                                                    PlanWords::tr("%1 repeats"));
    if (counts.possible > 0)
        text += QStringLiteral(" · ") + costText(plan);
    return text;
}

QString presetContents(const core::Preset& preset)
{
    const QStringList axes = axisCounts(preset);
    const QString model = QString::fromStdString(preset.defaults.model);
    QString text =
        PlanWords::tr("%1 on %2").arg(model, QString::fromStdString(preset.defaults.device));
    text +=
        QStringLiteral(" · ") +
        (axes.isEmpty() ? cellsText(1)
                        : axes.join(preset.mode == core::SweepMode::Cross ? QStringLiteral(" × ")
                                                                          : QStringLiteral(" + ")));
    return text + QStringLiteral(" · ") +
           countedText(preset.rounds, PlanWords::tr("1 repeat"), PlanWords::tr("%1 repeats"));
}

std::vector<ImpossibleCells> impossibleCells(const core::Plan& plan)
{
    std::vector<ImpossibleCells> groups;
    std::vector<ImpossibleCells> added;
    for (const core::PlannedCell& cell : plan.cells) {
        if (cell.possible())
            continue;
        std::vector<ImpossibleCells>& of = cell.role == core::CellRole::Swept ? groups : added;
        const QString reason = QString::fromStdString(core::noteText(*cell.impossible));
        auto group = std::find_if(of.begin(), of.end(),
                                  [&](const auto& each) { return each.reason == reason; });
        if (group == of.end())
            group = of.insert(of.end(), {reason, {}, cell.role != core::CellRole::Swept});
        group->cells << cellTitle(cell.config);
    }
    groups.insert(groups.end(), added.begin(), added.end());
    return groups;
}

}  // namespace qs::widgets
