#pragma once

#include "app/gui/runs/run_catalogue.h"
#include "app/gui/runs/run_columns.h"
#include "app/gui/runs/run_deletion.h"
#include "app/gui/runs/run_filter.h"
#include "app/gui/runs/run_list_actions.h"

#include <QStringList>
#include <QWidget>

#include <memory>

class QBoxLayout;
class QLabel;
class QLineEdit;
class QTreeView;

namespace qs::app {

// The list of runs: find one, open it, go on with it, measure the same here, name it, compare
// several, or delete some.
class RunsPage final : public QWidget
{
    Q_OBJECT

public:
    RunsPage(std::filesystem::path runs, std::filesystem::path examples, QWidget* parent = nullptr);

    void refresh() { m_catalogue.refresh(); }
    // The folder of the run that goes on; empty: none. Meanwhile no other one can be resumed.
    void setRunning(const std::filesystem::path& folder);
    // Of the columns as they were dragged; empty while they follow their texts.
    [[nodiscard]] QByteArray columnState() const;
    void restoreColumnState(const QByteArray& state);
    [[nodiscard]] const RunCatalogue& catalogue() const { return m_catalogue; }
    [[nodiscard]] bool isBusy() const { return m_catalogue.isReading() || m_deletion.isBusy(); }

Q_SIGNALS:
    void openRequested(const QString& folder);
    // To measure what is left of it.
    void resumeRequested(const QString& folder);
    // To lay them beside the run in view, or beside the first of them.
    void compareRequested(const QStringList& folders);
    // To take its preset as the draft.
    void repeatRequested(const QString& folder);
    // Its name, tags or note are others now.
    void labelled(const QString& folder);
    // Its folder is gone.
    void deleted(const QString& folder);
    void problemFound(const QString& title, const QString& problem);

protected:
    // Folders are read when somebody looks, not at every start.
    void showEvent(QShowEvent* event) override;
    // Down and Enter lead from the search into the list, Escape empties the search.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // What is to be current again after the list was read anew.
    struct Place {
        QString folder;
        int row = -1;
    };

    void build();
    void buildList();
    void buildSearch(QBoxLayout& line);
    void buildButtons(QBoxLayout& column);
    void connectList();
    void connectActions();
    void update();
    [[nodiscard]] QString hint() const;
    [[nodiscard]] RunListFacts facts() const;
    void keepPlace();
    void findPlace();
    void goIntoList();
    void edit(RunCatalogue::Column column);
    void askForNote();
    void askToDelete();
    // Rows of the catalogue: the current one if it is selected, or -1; the selected ones, from the
    // top.
    [[nodiscard]] int current() const;
    [[nodiscard]] QList<int> selected() const;
    // Folders of the selected rows, but for those that cannot be read.
    [[nodiscard]] QStringList chosen() const;

    RunCatalogue m_catalogue;
    RunFilter m_filter;
    RunDeletion m_deletion;
    QTreeView* m_list = nullptr;
    std::unique_ptr<RunColumns> m_columns;
    QLineEdit* m_search = nullptr;
    QLabel* m_hidden = nullptr;
    QLabel* m_hint = nullptr;
    RunListActions m_actions;
    Place m_place;
};

}  // namespace qs::app
