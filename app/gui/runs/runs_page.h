#pragma once

#include "app/gui/runs/run_catalogue.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeView;

namespace qs::app {

// The list of runs: open one, go on with it, or measure the same here.
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

    RunCatalogue m_catalogue;
    QTreeView* m_list = nullptr;
    QLabel* m_hint = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_resume = nullptr;
    QPushButton* m_repeat = nullptr;
    QPushButton* m_showFolder = nullptr;
    bool m_running = false;
};

}  // namespace qs::app
