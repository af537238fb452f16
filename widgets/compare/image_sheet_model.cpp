#include "widgets/compare/image_sheet_model.h"

#include "core/record/output_places.h"
#include "core/run/stored_output.h"
#include "widgets/compare/pane_image.h"
#include "widgets/models/plain_tip.h"

namespace qs::widgets {

void ImageSheetModel::show(const std::filesystem::path& runFolder,
                           const std::vector<SheetEntry>& entries)
{
    if (runFolder == m_runFolder && entries == m_entries)
        return;
    beginResetModel();
    m_runFolder = runFolder;
    m_entries = entries;
    m_images.clear();
    endResetModel();
    m_task.start(
        this, [runFolder, entries](const auto& wanted) { return load(runFolder, entries, wanted); },
        [this](const std::vector<Image>& images) {
            m_images = images;
            if (const int rows = rowCount(); rows > 0)
                Q_EMIT dataChanged(index(0), index(rows - 1));
            Q_EMIT loaded();
        });
}

std::vector<ImageSheetModel::Image> ImageSheetModel::load(const std::filesystem::path& runFolder,
                                                          const std::vector<SheetEntry>& entries,
                                                          const std::function<bool()>& wanted)
{
    std::vector<Image> images;
    for (const SheetEntry& entry : entries) {
        if (!wanted())
            break;
        Image image;
        const OutputSource& source = entry.source;
        if (!source.unavailable.isEmpty()) {
            image.problem = source.unavailable;
        } else if (const auto output = core::readStoredOutput(
                       runFolder, core::outputPlace(source.cellId, source.folder), entry.picture);
                   output.ok()) {
            image.image = toImage(output.value().picture);
            if (image.image.width() > kSide || image.image.height() > kSide)
                image.image =
                    image.image.scaled(kSide, kSide, Qt::KeepAspectRatio, Qt::SmoothTransformation);
        } else {
            image.problem = QString::fromStdString(output.error().message);
        }
        images.push_back(std::move(image));
    }
    return images;
}

int ImageSheetModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant ImageSheetModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const SheetEntry& entry = m_entries[row];
    const bool known = row < m_images.size();
    QString score = entry.score;
    if (known && m_images[row].image.isNull())
        score = tr("no image");
    switch (role) {
    case Qt::DisplayRole:
        return entry.title;
    case ScoreRole:
        return score;
    case ImageRole:
        return known ? QVariant::fromValue(m_images[row].image) : QVariant();
    case Qt::AccessibleTextRole:
        return tr("%1, %2").arg(entry.title, score);
    case Qt::ToolTipRole: {
        QString tip = entry.title + QLatin1Char('\n') + score;
        if (known && !m_images[row].problem.isEmpty())
            tip += QLatin1Char('\n') + m_images[row].problem;
        return plainTip(tip);
    }
    default:
        return {};
    }
}

}  // namespace qs::widgets

#include "moc_image_sheet_model.cpp"
