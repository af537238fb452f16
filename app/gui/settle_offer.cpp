#include "app/gui/settle_offer.h"

#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/plan_text.h"

#include <QAction>
#include <QCoreApplication>
#include <QLocale>

namespace qs::app {

namespace {

struct SettleOfferText {
    Q_DECLARE_TR_FUNCTIONS(SettleOffer)
};

QString whyNothing(const core::RunData& data, const core::OpenComparisons& open)
{
    if (data.plan.cells.empty())
        return SettleOfferText::tr("no run in view");
    if (open.waiting > 0)
        return SettleOfferText::tr("planned repeats are not finished");
    return open.compared == 0 ? SettleOfferText::tr("no comparison yet")
                              : SettleOfferText::tr("every comparison of this run is decided");
}

SettleOffer nothing(const QString& why)
{
    return {.possible = false,
            .text = SettleOfferText::tr("Repea&t unclear comparisons: %1").arg(why),
            .shortText = SettleOfferText::tr("Repeat unclear"),
            .toolTip = SettleOfferText::tr(
                           "Adds repeats to undecided comparisons only. Not available: %1.")
                           .arg(why)};
}

}  // namespace

SettleOffer settleOffer(const core::RunData& data, const core::Analysis& analysis,
                        const QString& obstacle)
{
    const core::OpenComparisons open = core::openComparisons(analysis);
    if (open.none())
        return nothing(whyNothing(data, open));
    if (!obstacle.isEmpty())
        return nothing(obstacle);
    const int rounds = core::roundsToSettle(data.plan);
    const QLocale locale;
    const auto comparisons = static_cast<int>(open.cellIds.size());
    const QString what =
        widgets::countedText(comparisons, SettleOfferText::tr("1 unclear comparison"),
                             SettleOfferText::tr("%1 unclear comparisons"));
    const QString cost = QStringLiteral("%1 × %2, %3")
                             .arg(widgets::cellsText(static_cast<int>(open.cells())),
                                  widgets::countedText(rounds, SettleOfferText::tr("1 repeat"),
                                                       SettleOfferText::tr("%1 repeats")),
                                  widgets::aboutText(core::settleSeconds(data, open, rounds)));
    return {.possible = true,
            .text = SettleOfferText::tr("Repea&t %1: %2").arg(what, cost),
            .shortText = SettleOfferText::tr("Repeat %1 unclear").arg(locale.toString(comparisons)),
            .toolTip = SettleOfferText::tr(
                           "Adds repeats to %1: %2. Only cells with an undecided verdict and "
                           "their baselines are measured, in additional rounds. Each interim "
                           "analysis is recorded and lowers the error rate of the next, so "
                           "that repeated testing does not produce false differences.")
                           .arg(what, cost)};
}

void showOffer(const SettleOffer& offer, QAction& settle)
{
    settle.setEnabled(offer.possible);
    settle.setText(offer.text);
    settle.setIconText(offer.shortText);
    settle.setToolTip(widgets::plainTip(offer.toolTip));
    settle.setStatusTip(offer.toolTip);
}

std::optional<core::Plan> settleAddition(const core::RunData& data, const core::Analysis& analysis)
{
    const core::OpenComparisons open = core::openComparisons(analysis);
    if (open.none())
        return std::nullopt;
    return core::settleAddition(data.plan, open, core::roundsToSettle(data.plan));
}

}  // namespace qs::app
