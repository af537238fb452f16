#include "widgets/compare/tile_strip.h"

#include "core/record/output_places.h"
#include "core/run/stored_output.h"
#include "widgets/compare/pane_image.h"
#include "widgets/models/plain_tip.h"

#include <QLocale>

#include <algorithm>

namespace qs::widgets {

void TileStripModel::request(const StripRequest& request)
{
    if (request == m_request)
        return;
    beginResetModel();
    m_request = request;
    m_entries.clear();
    endResetModel();
    m_task.start(
        this, [request](const auto& wanted) { return load(request, wanted); },
        [this](const std::vector<Entry>& entries) {
            m_entries = entries;
            if (const int rows = rowCount(); rows > 0)
                Q_EMIT dataChanged(index(0), index(rows - 1));
            Q_EMIT loaded();
        });
}

void TileStripModel::clear()
{
    m_task.drop();
    beginResetModel();
    m_request = {};
    m_entries.clear();
    endResetModel();
}

std::vector<TileStripModel::Entry> TileStripModel::load(const StripRequest& request,
                                                        const std::function<bool()>& wanted)
{
    const std::string reference =
        request.referenceId.empty()
            ? std::string()
            : core::outputPlace(request.referenceId, request.referenceFolder);
    std::vector<Entry> entries;
    for (const StripCell& cell : request.cells) {
        if (!wanted())
            break;
        Entry entry;
        if (!cell.unavailable.isEmpty()) {
            entry.problem = cell.unavailable;
        } else if (const auto tile = core::readStoredTile(
                       request.runFolder, core::outputPlace(cell.cellId, cell.folder), reference,
                       request.picture, request.tile);
                   tile.ok()) {
            entry.image = toImage(tile.value().picture);
            entry.ssim = tile.value().ssim;
            entry.rounded = tile.value().rounded;
        } else {
            entry.problem = QString::fromStdString(tile.error().message);
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

void TileStripModel::setBadges(const std::vector<std::pair<std::string, QString>>& badges)
{
    if (badges == m_badges)
        return;
    m_badges = badges;
    if (const int rows = rowCount(); rows > 0)
        Q_EMIT dataChanged(index(0), index(rows - 1), {BadgeRole, Qt::AccessibleTextRole});
}

QString TileStripModel::cellAt(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    return row >= 0 && at < m_request.cells.size()
               ? QString::fromStdString(m_request.cells[at].cellId)
               : QString();
}

int TileStripModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_request.cells.size());
}

QString TileStripModel::badgeOf(const std::string& cellId) const
{
    QStringList badges;
    for (const auto& [id, badge] : m_badges) {
        if (id == cellId)
            badges << badge;
    }
    return badges.join(QLatin1Char(' '));
}

QString TileStripModel::scoreText(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    if (at >= m_entries.size())
        return m_task.isBusy() ? tr("loading …") : tr("no image");
    const Entry& entry = m_entries[at];
    if (entry.image.isNull())
        return tr("no image");
    if (!entry.ssim)
        return tr("not compared");
    if (m_request.cells[at].cellId == m_request.referenceId)
        return tr("reference");
    const QString score = tr("SSIM %1").arg(QLocale().toString(*entry.ssim, 'f', 4));
    return entry.rounded ? tr("%1 (8-bit)").arg(score) : score;
}

QVariant TileStripModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const StripCell& cell = m_request.cells[row];
    const QString score = scoreText(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return cell.title;
    case ScoreRole:
        return score;
    case BadgeRole:
        return badgeOf(cell.cellId);
    case TileRole:
        return row < m_entries.size() ? QVariant::fromValue(m_entries[row].image) : QVariant();
    case Qt::AccessibleTextRole: {
        const QString badge = badgeOf(cell.cellId);
        return badge.isEmpty() ? tr("%1, %2").arg(cell.title, score)
                               : tr("%1, %2, in pane %3").arg(cell.title, score, badge);
    }
    case Qt::ToolTipRole: {
        QString tip = cell.title + QLatin1Char('\n') + score;
        if (row < m_entries.size() && !m_entries[row].problem.isEmpty())
            tip += QLatin1Char('\n') + m_entries[row].problem;
        if (row < m_entries.size() && m_entries[row].rounded)
            tip += QLatin1Char('\n') + tr("Only 8-bit copies of these images were saved: the score "
                                          "includes their rounding.");
        return plainTip(tip);
    }
    default:
        return {};
    }
}

}  // namespace qs::widgets

#include "moc_tile_strip.cpp"
