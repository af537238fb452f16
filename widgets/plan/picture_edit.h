#pragma once

#include "core/sweep/preset.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;

namespace qs::widgets {

class PictureStrip;

// Which pictures quality is judged on, how many, and how they become squares; of those that do not
// come with the program, the first ones as they will be taken.
class PictureEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit PictureEdit(QWidget* parent = nullptr);

    void setPictures(const core::PictureSettings& pictures);
    // Pictures are being read.
    [[nodiscard]] bool isBusy() const;

Q_SIGNALS:
    void picturesEdited(const qs::core::PictureSettings& pictures);

private:
    void sourceActivated(int index);
    void choose(bool folder);
    void setSource(const QString& source);
    void buildCrop();
    void showPictures();

    core::PictureSettings m_pictures;
    QComboBox* m_source;
    QSpinBox* m_count;
    QLabel* m_path;
    PictureStrip* m_strip;
    QComboBox* m_crop;
};

}  // namespace qs::widgets
