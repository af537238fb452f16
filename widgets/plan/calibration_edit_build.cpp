// What the editor of a calibration set is made of.
#include "widgets/plan/calibration_edit.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/message_line.h"
#include "widgets/plan/path_edit.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace qs::widgets {

namespace {

constexpr int kMostSamples = 4096;  // as many as a precision can ask for

}  // namespace

QWidget* CalibrationEdit::buildPictures()
{
    auto* part = new QWidget(m_content);
    m_source = new PathEdit(QStringLiteral("calibrationPictures"), tr("Calibration images"),
                            tr("Images (*.png *.jpg *.jpeg)"), part);
    m_source->line()->setPlaceholderText(tr("none: folder or file"));
    m_source->line()->setAcceptDrops(false);  // which would take a path for text
    m_source->line()->setToolTip(tr("Folder of PNG and JPEG files, or one file, that precisions "
                                    "with set=own are calibrated on. Others than those that "
                                    "quality is judged on, or its figures flatter"));
    m_folder = new QToolButton(part);
    m_folder->setObjectName(QStringLiteral("calibrationFolder"));
    m_folder->setText(tr("Folder…"));
    m_folder->setFocusPolicy(Qt::StrongFocus);
    m_folder->setToolTip(tr("Choose a folder of calibration images"));
    m_count = new QSpinBox(part);
    m_count->setObjectName(QStringLiteral("calibrationCount"));
    m_count->setAccessibleName(tr("Most calibration images"));
    m_count->setRange(1, kMostSamples);
    m_count->setKeyboardTracking(false);
    m_count->setToolTip(tr("So many images are read at most; each precision takes as many as its "
                           "option samples says"));
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_source, 1);
    row->addWidget(m_folder);
    row->addWidget(m_count);
    return part;
}

void CalibrationEdit::build()
{
    m_clear->setObjectName(QStringLiteral("calibrationClear"));
    m_clear->setText(tr("Clear"));
    m_clear->setFocusPolicy(Qt::StrongFocus);
    m_clear->setToolTip(tr("No calibration set of one's own"));
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_message, 1);
    foot->addWidget(m_clear);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_pictures);
    column->addLayout(m_rowLayout);
    column->addLayout(foot);
    m_section = new FoldSection(tr("Calibration set"), m_content, this);
    m_section->setObjectName(QStringLiteral("calibrationSection"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_section);
}

void CalibrationEdit::connectParts()
{
    connect(m_source, &PathEdit::edited, this,
            [this](bool typing) { setPictures(m_source->path(), typing); });
    connect(m_folder, &QToolButton::clicked, this, &CalibrationEdit::chooseFolder);
    connect(m_count, &QSpinBox::valueChanged, this, [this](int count) {
        m_preset.calibration.pictures.count = count;
        tell(true);
    });
    connect(m_clear, &QToolButton::clicked, this, [this] {
        m_preset.calibration = {};
        showRows();
        showSet();
        tell(false);
    });
}

void CalibrationEdit::chooseFolder()
{
    auto* dialog = new QFileDialog(this, tr("Open a folder of calibration images"));
    dialog->setObjectName(QStringLiteral("calibrationFolderDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        m_source->setPath(folder);
        setPictures(folder, false);
    });
    dialog->open();
}

}  // namespace qs::widgets
