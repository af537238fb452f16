#include "app/gui/runs/run_here.h"

#include "app/gui/runs/adapt_preset.h"
#include "widgets/layout/plain_box.h"
#include "widgets/plan/plan_text.h"

#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace qs::app {

namespace {

// "40 cells, about 92 h".
QString costText(const core::Plan& plan)
{
    return QStringLiteral("%1, %2").arg(widgets::cellsText(plan.possibleCells()),
                                        widgets::aboutText(plan.estimatedSeconds()));
}

}  // namespace

RunHere::RunHere(QWidget& window, std::filesystem::path resourceFolder,
                 const widgets::Planner::Maker& maker)
    : m_window(window), m_resourceFolder(std::move(resourceFolder)), m_whole(maker), m_quick(maker)
{
    connect(&m_whole, &widgets::Planner::planned, this,
            [this](const widgets::Planner::Answer& answer) { receive(m_wholePlan, answer); });
    connect(&m_quick, &widgets::Planner::planned, this,
            [this](const widgets::Planner::Answer& answer) { receive(m_quickPlan, answer); });
}

void RunHere::offer(const std::optional<core::Preset>& preset,
                    const std::vector<core::DeviceDescription>& devices)
{
    m_wholePlan.reset();
    m_quickPlan.reset();
    m_problem.clear();
    if (preset) {
        const core::Preset here = adaptPreset(*preset, devices);
        const core::PlanOptions options{devices, m_resourceFolder, false};
        m_whole.request(here, options);
        m_quick.request(quickVariant(here), options);
    }
    Q_EMIT offerChanged();
}

void RunHere::receive(std::optional<core::Plan>& plan, const widgets::Planner::Answer& answer)
{
    if (answer->ok() && answer->value().possibleCells() > 0)
        plan = answer->value();
    else if (&plan == &m_wholePlan)
        m_problem = answer->ok() ? tr("No cell of this sweep can run here")
                                 : QString::fromStdString(answer->error().message);
    Q_EMIT offerChanged();
}

// The question needs both plans.
bool RunHere::isOffered() const
{
    return m_wholePlan && !isPlanning();
}

QString RunHere::obstacle() const
{
    if (isOffered())
        return {};
    return m_problem.isEmpty() ? tr("Counting cells…") : m_problem;
}

bool RunHere::isLong() const
{
    return m_wholePlan->estimatedSeconds() > kSecondsWithoutAsking;
}

QString RunHere::buttonText() const
{
    if (!isOffered())
        return tr("Run here");
    return (isLong() ? tr("Run here (%1)…") : tr("Run here (%1)")).arg(costText(*m_wholePlan));
}

void RunHere::ask()
{
    if (!isOffered())
        return;
    if (isLong())
        return showQuestion();
    // A copy: the run that begins takes the example's place, and what is offered goes with it.
    const core::Plan plan = *m_wholePlan;
    Q_EMIT runRequested(plan);
}

void RunHere::showQuestion()
{
    auto* box = new QMessageBox(QMessageBox::Question, tr("Run here"),
                                tr("This sweep takes %1 on this computer.")
                                    .arg(widgets::aboutText(m_wholePlan->estimatedSeconds())),
                                QMessageBox::Cancel, &m_window);
    box->setObjectName(QStringLiteral("runHereQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [this, box](const char* name, const QString& text, const core::Plan& plan) {
        QPushButton* button = box->addButton(text.arg(costText(plan)), QMessageBox::AcceptRole);
        button->setObjectName(QString::fromLatin1(name));
        connect(button, &QPushButton::clicked, this, [this, plan] { Q_EMIT runRequested(plan); });
        return button;
    };
    add("runHereWhole", tr("Run all (%1)"), *m_wholePlan);
    // It is no help where it takes nearly as long.
    if (m_quickPlan && m_quickPlan->estimatedSeconds() < m_wholePlan->estimatedSeconds() / 2.0) {
        box->setInformativeText(tr("The quick variant has the smallest batches and %1 images, each "
                                   "cell measured once: ratios have no intervals. Your draft stays "
                                   "as it is.")
                                    .arg(m_quickPlan->preset.pictures.count));
        box->setDefaultButton(add("runHereQuick", tr("Run the quick variant (%1)"), *m_quickPlan));
    } else {
        box->setInformativeText(tr("Your draft stays as it is."));
    }
    widgets::showPlainly(*box);
    box->open();
}

}  // namespace qs::app

#include "moc_run_here.cpp"
