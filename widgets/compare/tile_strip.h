#pragma once

#include "core/image/tiles.h"
#include "widgets/background/latest_task.h"

#include <QAbstractListModel>
#include <QImage>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace qs::widgets {

// A cell in the strip, and why it has no picture if it has none.
struct StripCell {
    std::string cellId;
    QString title;
    std::string folder = {};  // as OutputSource::folder
    QString unavailable = {};

    bool operator==(const StripCell&) const = default;
};

// Everything that decides what the strip shows.
struct StripRequest {
    std::filesystem::path runFolder;
    std::string referenceId;      // that tiles are scored against; empty for none
    std::string referenceFolder;  // as OutputSource::folder
    int picture = 0;
    core::Tile tile;
    std::vector<StripCell> cells;

    bool operator==(const StripRequest&) const = default;
};

// The same tile as every cell of a run made it, in the order of the plan. Reads on a worker.
class TileStripModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { TileRole = Qt::UserRole, ScoreRole, BadgeRole };

    explicit TileStripModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    void request(const StripRequest& request);
    void clear();
    [[nodiscard]] const StripRequest& current() const { return m_request; }
    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }
    // The names of the panes that show cells: "A", "B", "1" …
    void setBadges(const std::vector<std::pair<std::string, QString>>& badges);
    [[nodiscard]] QString cellAt(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

Q_SIGNALS:
    void loaded();

private:
    struct Entry {
        QImage image;  // null without one
        std::optional<double> ssim;
        bool rounded = false;
        QString problem;
    };

    [[nodiscard]] static std::vector<Entry> load(const StripRequest& request,
                                                 const std::function<bool()>& wanted);
    [[nodiscard]] QString scoreText(int row) const;
    [[nodiscard]] QString badgeOf(const std::string& cellId) const;

    StripRequest m_request;
    std::vector<Entry> m_entries;  // as the cells once loaded; empty before
    std::vector<std::pair<std::string, QString>> m_badges;
    LatestTask<std::vector<Entry>> m_task;
};

}  // namespace qs::widgets
