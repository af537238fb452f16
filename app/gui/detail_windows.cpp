#include "app/gui/detail_windows.h"

#include "app/gui/file_dialog.h"
#include "app/gui/help/help_window.h"
#include "widgets/compare/compare_view.h"
#include "widgets/environments/environment_dialog.h"
#include "widgets/measured/measured_panel.h"
#include "widgets/plot/curve_view.h"
#include "widgets/references/reference_dialog.h"
#include "widgets/table/cell_table.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::app {

namespace {

constexpr QSize kMeasuredSize{1180, 700};

void bringUp(QWidget& window)
{
    window.show();
    window.raise();
    window.activateWindow();
}

}  // namespace

DetailWindows::DetailWindows(Sources sources, const ViewActions& actions, QWidget& window)
    : m_sources(std::move(sources)),
      m_window(window),
      m_runReferences(new widgets::RunReferences(m_sources.store, this))
{
    connect(actions.measured, &QAction::triggered, this, &DetailWindows::showMeasured);
    connect(actions.environments, &QAction::triggered, this, &DetailWindows::showEnvironments);
    connect(actions.references, &QAction::triggered, this, &DetailWindows::showReferences);
    connect(m_runReferences, &widgets::RunReferences::changed, &m_sources.curves,
            [this] { m_sources.curves.setReferences(m_runReferences->all()); });
    connect(&m_sources.pictures, &widgets::CompareView::measuredWanted, this,
            &DetailWindows::showMeasured);
    m_sources.table.addCellAction(actions.measured);
    m_sources.table.addCellAction(actions.environments);
}

void DetailWindows::showMeasured()
{
    if (m_measured == nullptr) {
        m_measured = new QDialog(&m_window);
        m_measured->setObjectName(QStringLiteral("measuredWindow"));
        m_measured->setWindowTitle(tr("Measurement details"));
        HelpWindow::setPageOf(*m_measured, QStringLiteral("measuring"));
        auto* panel = new widgets::MeasuredPanel(m_sources.store);
        connect(panel, &widgets::MeasuredPanel::environmentsWanted, this,
                &DetailWindows::showEnvironments);
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
        connect(buttons, &QDialogButtonBox::rejected, m_measured, &QDialog::reject);
        auto* column = new QVBoxLayout(m_measured);
        column->addWidget(panel, 1);
        column->addWidget(buttons);
        const QSize screen = QGuiApplication::primaryScreen()->availableSize();
        m_measured->resize(kMeasuredSize.boundedTo(screen * 9 / 10));
    }
    bringUp(*m_measured);
}

void DetailWindows::showEnvironments()
{
    // Anew: the runs that can be chosen are others by now.
    delete m_environments;
    m_environments =
        new widgets::EnvironmentDialog(m_sources.store, m_sources.otherRuns(), &m_window);
    HelpWindow::setPageOf(*m_environments, QStringLiteral("measuring"));
    bringUp(*m_environments);
}

void DetailWindows::showReferences()
{
    if (m_references == nullptr) {
        m_references = new widgets::ReferenceDialog(m_sources.store, *m_runReferences,
                                                    m_sources.sweeping, &m_window);
        HelpWindow::setPageOf(*m_references, QStringLiteral("exports"));
        connect(m_references, &widgets::ReferenceDialog::fileWanted, this,
                &DetailWindows::askForReference);
    }
    bringUp(*m_references);
}

void DetailWindows::askForReference()
{
    askForFile(m_window,
               {.name = "addReferenceDialog",
                .title = tr("Add results of another program"),
                .filter = tr("Reference results (*.json)")},
               [this](const QString& path) { m_runReferences->attach(path); });
}

}  // namespace qs::app

#include "moc_detail_windows.cpp"
