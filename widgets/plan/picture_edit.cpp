#include "widgets/plan/picture_edit.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plan/picture_strip.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::widgets {

namespace {

enum SourceItem { Shipped, Folder, File };

// Outputs of at most so many pictures are kept per cell.
constexpr int kMostPictures = 16;

}  // namespace

PictureEdit::PictureEdit(QWidget* parent)
    : QWidget(parent),
      m_source(new QComboBox(this)),
      m_count(new QSpinBox(this)),
      m_path(new QLabel(this)),
      m_strip(new PictureStrip(this)),
      m_crop(new QComboBox(this))
{
    m_source->setObjectName(QStringLiteral("pictureSource"));
    m_source->setAccessibleName(tr("Images"));
    m_source->addItems({tr("Shipped test images"), tr("Folder…"), tr("One file…")});
    m_source->setToolTip(tr("Images for quality: the shipped set of leaves, text, gratings, noise "
                            "and gradients, or your own PNG and JPEG files"));
    m_count->setObjectName(QStringLiteral("pictureCount"));
    m_count->setAccessibleName(tr("Number of images"));
    m_count->setRange(1, kMostPictures);
    m_count->setToolTip(plainTip(tr("Number of images, 1 to %1").arg(kMostPictures)));
    m_path->setObjectName(QStringLiteral("picturePath"));
    m_path->setTextFormat(Qt::PlainText);
    m_path->setForegroundRole(QPalette::PlaceholderText);
    buildCrop();

    setFocusProxy(m_source);
    auto* row = new QHBoxLayout;
    row->addWidget(m_source, 1);
    row->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(m_path);
    layout->addWidget(m_strip);
    layout->addWidget(m_crop);
    connect(m_source, &QComboBox::activated, this, &PictureEdit::sourceActivated);
    connect(m_count, &QSpinBox::valueChanged, this, [this](int count) {
        m_pictures.count = count;
        Q_EMIT picturesEdited(m_pictures);
    });
    showPictures();
}

void PictureEdit::buildCrop()
{
    m_crop->setObjectName(QStringLiteral("pictureCrop"));
    m_crop->setAccessibleName(tr("Crop"));
    m_crop->setToolTip(tr("How images that are not square are made square, as models need"));
    m_crop->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_crop->addItem(tr("Centre crop"), QVariant::fromValue(core::PictureCrop::Center));
    m_crop->setItemData(0,
                        tr("Resize the shorter side, then crop the centre, as ADM and DiT do: the "
                           "edges of the longer side are not judged"),
                        Qt::ToolTipRole);
    m_crop->addItem(tr("Pad"), QVariant::fromValue(core::PictureCrop::Pad));
    m_crop->setItemData(1,
                        tr("Resize the longer side if it is too large and pad with mid grey on the "
                           "right and bottom: nothing is cut off, and the grey is judged too"),
                        Qt::ToolTipRole);
    connect(m_crop, &QComboBox::activated, this, [this] {
        m_pictures.crop = m_crop->currentData().value<core::PictureCrop>();
        Q_EMIT picturesEdited(m_pictures);
    });
}

void PictureEdit::setPictures(const core::PictureSettings& pictures)
{
    m_pictures = pictures;
    showPictures();
}

void PictureEdit::showPictures()
{
    const QSignalBlocker noSource(m_source);
    const QSignalBlocker noCount(m_count);
    const QString source = QString::fromStdString(m_pictures.source);
    const bool shipped = m_pictures.shipped();
    m_source->setCurrentIndex(shipped ? Shipped : QFileInfo(source).isFile() ? File : Folder);
    // Presets may ask for more than the window offers; nothing is cut unless a person changes it.
    m_count->setMaximum(std::max(kMostPictures, m_pictures.count));
    m_count->setValue(m_pictures.count);
    m_crop->setCurrentIndex(m_crop->findData(QVariant::fromValue(m_pictures.crop)));
    m_crop->setVisible(!shipped);  // shipped images are square
    m_path->setVisible(!shipped);
    m_path->setToolTip(plainTip(source));
    m_path->setText(shipped ? QString() : QFileInfo(source).fileName());
    m_strip->setPictures(m_pictures);
    m_strip->setVisible(!shipped);
}

bool PictureEdit::isBusy() const
{
    return m_strip->isBusy();
}

void PictureEdit::sourceActivated(int index)
{
    if (index == Shipped)
        setSource(QLatin1String(core::kShippedImages));
    else
        choose(index == Folder);
}

void PictureEdit::choose(bool folder)
{
    auto* dialog =
        new QFileDialog(this, folder ? tr("Open a folder of images") : tr("Open an image"), {},
                        tr("Images (*.png *.jpg *.jpeg)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &PictureEdit::setSource);
    // Without a choice the box shows again what is in force.
    connect(dialog, &QFileDialog::finished, this, &PictureEdit::showPictures);
    dialog->open();
}

void PictureEdit::setSource(const QString& source)
{
    m_pictures.source = source.toStdString();
    // The same folder may hold other files by now.
    m_strip->forget();
    showPictures();
    Q_EMIT picturesEdited(m_pictures);
}

}  // namespace qs::widgets

#include "moc_picture_edit.cpp"
