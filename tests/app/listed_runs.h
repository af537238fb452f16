#pragma once

#include "app/gui/runs/run_row_delegate.h"
#include "app/gui/runs/runs_page.h"
#include "core/record/run_folder.h"
#include "core/record/run_label.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"
#include "tests/widgets/support/children.h"

#include <QAction>
#include <QMenu>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <memory>

namespace qs::tests {

// Reading the runs of a list.
inline constexpr int kReadMs = 60'000;

struct StoredRun {
    std::string sweep = "Sample run";
    std::string day = "2026-11-21";
    std::string device = {};        // that of the sample
    double quantizedSeconds = 1.0;  // times those of the sample
    std::size_t rows = 1000;
};

// Stores the first rows of a sample run that was measured then and there.
inline void store(const std::filesystem::path& folder, const StoredRun& run)
{
    core::RunData data = sampleRun();
    data.plan.preset.name = run.sweep;
    core::Environment& here = data.environments.front();
    if (!run.device.empty())
        here.devices.front().name = run.device;
    auto stored = core::RunFolder::create(folder, data.plan, here);
    QVERIFY2(stored.ok(), stored.ok() ? "" : stored.error().message.c_str());
    for (std::size_t i = 0; i < std::min(run.rows, data.measurements.size()); ++i) {
        core::Measurement& row = data.measurements[i];
        row.environmentId = here.id();
        row.startedAt = run.day + "T09:40:12Z";
        if (row.config.precision.front() == "int8dq") {
            for (auto* seconds : {&row.result.hostSeconds, &row.result.deviceSeconds}) {
                for (double& each : *seconds)
                    each *= run.quantizedSeconds;
            }
        }
        QVERIFY(stored.value().addMeasurement(row).ok());
    }
}

inline QString text(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

// Names of the folders in the order in which they are seen: "b a".
inline QString shownFolders(const QTreeView& list)
{
    QStringList names;
    for (int row = 0; row < list.model()->rowCount(); ++row)
        names << list.model()
                     ->index(row, 0)
                     .data(app::RunCatalogue::FolderRole)
                     .toString()
                     .section(QLatin1Char('/'), -1);
    return names.join(QLatin1Char(' '));
}

// Where the row has a button to go on with its run; empty if it has none.
inline QRect resumeButton(const QTreeView& list, const QModelIndex& progress)
{
    QStyleOptionViewItem row;
    row.fontMetrics = list.fontMetrics();
    row.rect = list.visualRect(progress);
    return app::RunRowDelegate::resumeButton(row, progress);
}

// Four runs of which no two are alike, and the page that lists them.
class ListedRuns
{
public:
    ListedRuns()
    {
        store(runs() / "a", {.sweep = "Zebra",
                             .day = "2026-11-01",
                             .device = "NVIDIA A100",
                             .quantizedSeconds = 0.1});
        store(runs() / "b", {.sweep = "Apple", .day = "2026-11-03"});
        store(runs() / "c", {.sweep = "Mango", .day = "2026-11-02", .rows = 3});
        store(m_folder / "examples" / "shipped", {.sweep = "Shipped", .day = "2026-11-04"});
        open();
    }
    // As after the next start of the program.
    void open()
    {
        m_page = std::make_unique<app::RunsPage>(runs(), m_folder / "examples");
        m_page->resize(1000, 460);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        QTRY_VERIFY_WITH_TIMEOUT(!page().isBusy(), kReadMs);
        QCOMPARE(page().catalogue().rowCount(), 4);
    }
    [[nodiscard]] app::RunsPage& page() { return *m_page; }
    [[nodiscard]] QTreeView& list() { return *child<QTreeView>(*m_page, "runsList"); }
    [[nodiscard]] std::filesystem::path runs() const { return m_folder / "runs"; }
    [[nodiscard]] QString shown() { return shownFolders(list()); }
    [[nodiscard]] QString current()
    {
        return list().currentIndex().data(app::RunCatalogue::FolderRole).toString();
    }
    [[nodiscard]] QModelIndex index(const QString& folder, int column)
    {
        return list().model()->index(
            static_cast<int>(shown().split(QLatin1Char(' ')).indexOf(folder)), column);
    }
    void clickOn(QModelIndex index, Qt::MouseButton button = Qt::LeftButton,
                 Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        const QPoint middle = list().visualRect(index).center();
        QTest::mouseClick(m_page->windowHandle(), button, modifiers,
                          list().viewport()->mapTo(m_page.get(), middle));
    }
    void clickRow(const QString& folder, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        clickOn(index(folder, app::RunCatalogue::Name), Qt::LeftButton, modifiers);
    }
    // Chooses from the menu of the row by mouse.
    void chooseFromMenu(const QString& folder, const char* action)
    {
        clickOn(index(folder, app::RunCatalogue::Name), Qt::RightButton);
        auto* menu = child<QMenu>(*m_page, "runRowMenu");
        QTRY_VERIFY(menu->isVisible());
        QAction* wanted = child<QAction>(*m_page, action);
        QVERIFY(menu->actions().contains(wanted) && wanted->isEnabled());
        QTest::mouseClick(menu->windowHandle(), Qt::LeftButton, Qt::NoModifier,
                          menu->actionGeometry(wanted).center());
    }
    [[nodiscard]] core::RunLabel label(const char* folder) const
    {
        return core::readRunLabel(runs() / folder).value();
    }

private:
    TestFolder m_folder;
    std::unique_ptr<app::RunsPage> m_page;
};

}  // namespace qs::tests
