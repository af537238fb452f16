#include "core/quant/scheme.h"
#include "widgets/models/cell_text.h"
#include "widgets/plan/choice_list.h"
#include "widgets/plan/device_chooser.h"
#include "widgets/plan/model_edit.h"
#include "widgets/plan/picture_edit.h"
#include "widgets/plan/plan_footer.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/range_edit.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace qs::widgets {

namespace {

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QList<ChoiceList::Choice> precisionChoices()
{
    QList<ChoiceList::Choice> choices;
    for (const core::Scheme scheme : core::allSchemes())
        choices << ChoiceList::Choice{textOf(core::name(scheme)), textOf(core::name(scheme)),
                                      textOf(core::describe(scheme))};
    return choices;
}

QList<ChoiceList::Choice> compileChoices()
{
    return {{QStringLiteral("none"), compileText("none"),
             PlanPanel::tr("One operation after the other, as PyTorch runs a model by itself")},
            {QStringLiteral("cuda-graph"), compileText("cuda-graph"),
             PlanPanel::tr("The same operations, captured once as a CUDA graph and replayed: no "
                           "launch costs. Needs "
                           "an NVIDIA GPU")}};
}

}  // namespace

void PlanPanel::build()
{
    m_footer = new PlanFooter(this);
    m_run = new QPushButton(this);
    m_run->setObjectName(QStringLiteral("runButton"));

    // The editors scroll; the footer and the button that all of it is for stay in view.
    auto* content = new QWidget(this);
    auto* contentLayout = new QVBoxLayout(content);
    contentLayout->addWidget(buildChooser());
    contentLayout->addWidget(buildEditors());
    contentLayout->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("planScroll"));
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // The bar takes its width from the content, which must not be cut.
    scroll->setMinimumWidth(content->minimumSizeHint().width() +
                            style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, scroll));

    auto* bottom = new QVBoxLayout;
    const int margin = contentLayout->contentsMargins().left();
    bottom->setContentsMargins(margin, 0, margin, margin);
    bottom->addWidget(m_footer);
    bottom->addWidget(m_run);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll, 1);
    layout->addLayout(bottom);
}

QWidget* PlanPanel::buildChooser()
{
    auto* part = new QWidget(this);
    m_chooser = new QComboBox(part);
    m_chooser->setObjectName(QStringLiteral("presetChooser"));
    m_chooser->setAccessibleName(tr("Preset"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_chooser->setMinimumContentsLength(12);
    m_chooser->setPlaceholderText(tr("Choose a preset"));
    auto* open = new QToolButton(part);
    open->setObjectName(QStringLiteral("openPreset"));
    open->setText(tr("Open…"));
    open->setToolTip(tr("Open a preset file"));
    open->setAccessibleName(tr("Open a preset file"));
    m_description = new QLabel(part);
    m_description->setObjectName(QStringLiteral("presetDescription"));
    m_description->setWordWrap(true);
    m_description->setTextFormat(Qt::PlainText);
    m_description->setForegroundRole(QPalette::PlaceholderText);
    connect(open, &QToolButton::clicked, this, &PlanPanel::openPresetRequested);
    connect(m_chooser, &QComboBox::activated, this,
            [this](int index) { Q_EMIT presetChosen(m_chooser->itemData(index).toString()); });

    auto* row = new QHBoxLayout;
    row->addWidget(m_chooser, 1);
    row->addWidget(open);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(row);
    layout->addWidget(m_description);
    return part;
}

QWidget* PlanPanel::buildEditors()
{
    auto* part = new QWidget(this);
    m_model = new ModelEdit(part);
    m_device = new DeviceChooser(part);
    m_precision = new ChoiceList(precisionChoices(), part);
    m_precision->setObjectName(QStringLiteral("precisionList"));
    m_compile = new ChoiceList(compileChoices(), part);
    m_compile->setObjectName(QStringLiteral("compileList"));
    m_batch = new RangeEdit(part);
    m_batch->setObjectName(QStringLiteral("batchEdit"));
    m_batch->lineEdit()->setAccessibleName(tr("Batch sizes"));
    m_imageSize = new RangeEdit(part);
    m_imageSize->setObjectName(QStringLiteral("imageSizeEdit"));
    m_imageSize->lineEdit()->setAccessibleName(tr("Image sizes in pixels"));
    m_pictures = new PictureEdit(part);
    m_rounds = new QSpinBox(part);
    m_rounds->setObjectName(QStringLiteral("roundsBox"));
    m_rounds->setRange(1, kUsualRounds);
    m_rounds->setAccessibleName(tr("Repeats"));
    m_rounds->setToolTip(tr(
        "How often each cell is measured, in a fresh process and a fresh random order each time. "
        "Intervals need three"));

    auto* form = new QFormLayout(part);
    form->setContentsMargins(0, 0, 0, 0);
    // Long words wrap under their label in a narrow panel instead of being cut.
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(3);
    form->addRow(tr("&Model"), m_model);
    form->addRow(tr("&Device"), m_device);
    form->addRow(tr("Precision"), m_precision);
    form->addRow(tr("Compile mode"), m_compile);
    form->addRow(tr("&Batch sizes"), m_batch);
    form->addRow(tr("&Image sizes (pixels)"), m_imageSize);
    form->addRow(tr("Repea&ts"), m_rounds);
    form->addRow(tr("&Pictures"), m_pictures);
    return part;
}

}  // namespace qs::widgets
