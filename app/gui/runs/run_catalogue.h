#pragma once

#include "app/gui/runs/run_summary.h"

#include <QAbstractTableModel>

#include <atomic>
#include <filesystem>
#include <memory>
#include <vector>

namespace qs::app {

// The run folders of this computer and the shipped examples, one row each: own runs first, newest
// first. Folders are read on a thread of the pool; rows appear as they are known. A folder that has
// not changed since is not read again.
class RunCatalogue final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Started, Model, Device, Cells, Answer, ColumnCount };

    RunCatalogue(std::filesystem::path runs, std::filesystem::path examples,
                 QObject* parent = nullptr);
    // A folder that is being read is read to its end; nobody hears of it any more.
    ~RunCatalogue() override;

    // Looks at the disk again.
    void refresh();
    [[nodiscard]] bool isReading() const { return m_reading; }
    [[nodiscard]] const RunSummary& run(int row) const
    {
        return m_runs.at(static_cast<std::size_t>(row)).summary;
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

Q_SIGNALS:
    void readingChanged();

private:
    // A summary with the state of the journal it was made from.
    struct Known {
        RunSummary summary;
        std::uintmax_t journalBytes = 0;
        std::filesystem::file_time_type journalTime;
    };
    using List = std::vector<Known>;

    [[nodiscard]] static List readAll(const std::filesystem::path& runs,
                                      const std::filesystem::path& examples, const List& known,
                                      const std::shared_ptr<std::atomic<bool>>& cancelled);
    [[nodiscard]] QString text(const RunSummary& run, int column) const;

    std::filesystem::path m_runsFolder;
    std::filesystem::path m_examples;
    List m_runs;
    bool m_reading = false;
    bool m_again = false;
    std::shared_ptr<std::atomic<bool>> m_cancelled;
};

}  // namespace qs::app
