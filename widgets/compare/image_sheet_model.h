#pragma once

#include "widgets/background/latest_task.h"
#include "widgets/compare/loaded_pictures.h"

#include <QAbstractListModel>
#include <QImage>
#include <QString>

#include <filesystem>
#include <functional>
#include <vector>

namespace qs::widgets {

// An image of a sheet, to be read.
struct SheetEntry {
    OutputSource source;
    int picture = 0;
    QString title;
    QString score;  // from the record; empty where there is none

    bool operator==(const SheetEntry&) const = default;
};

// Images of a run side by side, reduced. Reads on a worker, and tells of each as it comes.
class ImageSheetModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { ImageRole = Qt::UserRole, ScoreRole };
    static constexpr int kSide = 192;  // pixels of the larger side at most

    explicit ImageSheetModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    void show(const std::filesystem::path& runFolder, const std::vector<SheetEntry>& entries);
    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }
    [[nodiscard]] const SheetEntry& entry(int row) const
    {
        return m_entries.at(static_cast<std::size_t>(row));
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

Q_SIGNALS:
    void loaded();

private:
    struct Image {
        QImage image;  // null without one
        QString problem;
    };

    [[nodiscard]] static std::vector<Image> load(const std::filesystem::path& runFolder,
                                                 const std::vector<SheetEntry>& entries,
                                                 const std::function<bool()>& wanted);

    std::filesystem::path m_runFolder;
    std::vector<SheetEntry> m_entries;
    std::vector<Image> m_images;  // as the entries once loaded; empty before
    LatestTask<std::vector<Image>> m_task;
};

}  // namespace qs::widgets
