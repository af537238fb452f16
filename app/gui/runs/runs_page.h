#pragma once

#include "app/gui/runs/run_catalogue.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;
class QTreeView;

namespace qs::app {

// The list of runs: open one, go on with it, measure the same here, or compare several.
class RunsPage final : public QWidget
{
    Q_OBJECT

public:
    RunsPage(std::filesystem::path runs, std::filesystem::path examples, QWidget* parent = nullptr);

    void refresh() { m_catalogue.refresh(); }
    // While a run goes on none other can be resumed.
    void setRunning(bool running);
    [[nodiscard]] const RunCatalogue& catalogue() const { return m_catalogue; }

Q_SIGNALS:
    void openRequested(const QString& folder);
    // To measure what is left of it.
    void resumeRequested(const QString& folder);
    // To lay them beside the run in view, or beside the first of them.
    void compareRequested(const QStringList& folders);
    // To take its preset as the draft.
    void repeatRequested(const QString& folder);

protected:
    // Folders are read when somebody looks, not at every start.
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void fitColumns();
    void updateButtons();
    [[nodiscard]] const RunSummary* current() const;
    // Folders of the selected rows, from the top, but for those that cannot be read.
    [[nodiscard]] QStringList chosen() const;

    RunCatalogue m_catalogue;
    QTreeView* m_list = nullptr;
    QLabel* m_hint = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_resume = nullptr;
    QPushButton* m_repeat = nullptr;
    QPushButton* m_compare = nullptr;
    QPushButton* m_showFolder = nullptr;
    bool m_running = false;
};

}  // namespace qs::app
