#include "app/gui/settle_offer.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plan/plan_text.h"

#include <QAction>
#include <QCoreApplication>
#include <QLocale>

namespace qs::app {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(SettleOffer)
};

QString whyNothing(const core::RunData& data, const core::OpenComparisons& open)
{
    if (data.plan.cells.empty())
        return Text::tr("there is no run in view");
    if (open.waiting > 0)
        return Text::tr("planned repeats are still to come");
    return open.compared == 0 ? Text::tr("nothing has been compared yet")
                              : Text::tr("every comparison of this run is settled");
}

SettleOffer nothing(const QString& why)
{
    return {.possible = false,
            .text = Text::tr("Se&ttle: %1").arg(why),
            .shortText = Text::tr("Settle"),
            .toolTip = Text::tr("Adds repeats to just those comparisons whose verdict is open. Not "
                                "now: %1.")
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
    const QString what = comparisons == 1
                             ? Text::tr("1 comparison")
                             : Text::tr("%1 comparisons").arg(locale.toString(comparisons));
    const QString cost =
        Text::tr("%1 cells × %2 repeats, %3")
            .arg(locale.toString(static_cast<qulonglong>(open.cells())), locale.toString(rounds),
                 widgets::aboutText(core::settleSeconds(data, open, rounds)));
    return {.possible = true,
            .text = Text::tr("Se&ttle %1: %2").arg(what, cost),
            .shortText = Text::tr("Settle %1").arg(locale.toString(comparisons)),
            .toolTip = Text::tr("Settle %1: %2. Only the cells whose verdict is open and their "
                                "baselines are measured, in rounds of their own. The run remembers "
                                "each such look: a later one has to show more, so that looking "
                                "often finds nothing that is not there.")
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
