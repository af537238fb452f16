#pragma once

#include "app/gui/runs/run_list_text.h"
#include "app/gui/runs/run_summary.h"
#include "widgets/models/cell_table_model.h"

#include <QAbstractTableModel>
#include <QStringList>
#include <QThreadPool>

#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

namespace qs::app {

// The run folders of this computer and the shipped examples, one row each. Everything is read on
// threads of the pool: first which folders there are and what their users call them, then one run
// after the other. A run that has not changed since is not read again.
class RunCatalogue final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        Name = static_cast<int>(RunColumn::Name),
        Tags,
        Progress,
        Best,
        SpeedUp,
        Device,
        Date,
        ColumnCount
    };
    enum Role {
        SortRole = widgets::CellTableModel::SortRole,
        SeverityRole = widgets::CellTableModel::SeverityRole,
        VerdictToneRole = widgets::CellTableModel::VerdictToneRole,
        FolderRole = Qt::UserRole + 100,  // QString
        SearchRole,                       // QString
        ResumableRole,                    // bool: there is a button on the row
        TellingDateRole,                  // QString: of a run whose name another one has, too
    };

    RunCatalogue(std::filesystem::path runs, std::filesystem::path examples,
                 QObject* parent = nullptr);

    // Looks at the disk again.
    void refresh();
    [[nodiscard]] bool isReading() const { return m_reading; }
    [[nodiscard]] const RunSummary& run(int row) const
    {
        return m_runs.at(static_cast<std::size_t>(row)).summary;
    }
    // -1 if it is not listed.
    [[nodiscard]] int rowOf(const QString& folder) const;
    // The run that goes on; empty: none. Meanwhile no other one can be resumed.
    void setRunning(const std::filesystem::path& folder);
    [[nodiscard]] bool isRunning(int row) const;
    [[nodiscard]] bool isResumable(int row) const;
    // Whether another run is called the same.
    [[nodiscard]] bool hasNamesake(int row) const;
    // Ours to name, and its label is no other program's.
    [[nodiscard]] bool isLabelled(int row) const { return !run(row).example; }
    // On the disk a moment later; labelled() or labelFailed() follows.
    void setLabel(int row, const core::RunLabel& label);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    // Name and tags are edited where they stand.
    [[nodiscard]] bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

Q_SIGNALS:
    void readingChanged();
    void labelled(const QString& folder);
    void labelFailed(const QString& problem);

private:
    // A run with the state of the journal that its summary was made from.
    struct Known {
        RunSummary summary;
        std::uintmax_t journalBytes = 0;
        std::filesystem::file_time_type journalTime;
        bool stale = true;  // the summary is not of that journal
    };
    using List = std::vector<Known>;

    [[nodiscard]] static List listFolders(const std::filesystem::path& runs,
                                          const std::filesystem::path& examples);
    void accept(List found);
    void readNext();
    void show(std::size_t row, RunSummary summary);
    void tellRow(int row);

    std::filesystem::path m_runsFolder;
    std::filesystem::path m_examples;
    std::filesystem::path m_running;
    List m_runs;
    bool m_reading = false;
    bool m_again = false;
    // Labelled since the folders were last listed: what was read then is older.
    std::set<std::filesystem::path> m_relabelled;
    // Of one thread, so that labels are written in their order, and read after they were.
    QThreadPool m_labels;
};

}  // namespace qs::app
