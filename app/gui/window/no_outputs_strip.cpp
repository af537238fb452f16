#include "app/gui/window/no_outputs_strip.h"

#include "core/record/layer_reports.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/models/plain_tip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace qs::app {

namespace {

bool hasImages(const core::RunData& data)
{
    return std::any_of(data.plan.cells.begin(), data.plan.cells.end(),
                       [](const auto& cell) { return cell.output == core::OutputKind::Image; });
}

}  // namespace

NoOutputsStrip::NoOutputsStrip(QWidget* parent)
    : QFrame(parent),
      m_text(new widgets::ElidedParagraph(1, this)),
      m_layers(new QPushButton(tr("Show layers"), this)),
      m_repeat(new QPushButton(tr("Run again…"), this))
{
    setObjectName(QStringLiteral("noOutputsStrip"));
    setFrameShape(QFrame::StyledPanel);
    m_text->setObjectName(QStringLiteral("noOutputsText"));
    m_layers->setObjectName(QStringLiteral("showLayersInstead"));
    m_layers->setToolTip(tr("What each precision does to each layer, as this run measured it"));
    m_repeat->setObjectName(QStringLiteral("runAgainForOutputs"));
    m_repeat->setToolTip(tr("Makes the sweep of this run the draft; what it then measures keeps "
                            "outputs of its own"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_text, 1, Qt::AlignVCenter);
    layout->addWidget(m_layers);
    layout->addWidget(m_repeat);
    connect(m_layers, &QPushButton::clicked, this, &NoOutputsStrip::layersWanted);
    connect(m_repeat, &QPushButton::clicked, this, &NoOutputsStrip::repeatWanted);
    setFixedHeight(sizeHint().height());
    hide();
}

void NoOutputsStrip::showRun(const core::RunData& data, bool repeatable)
{
    m_text->setText(hasImages(data) ? tr("This run kept no images. Run it again.")
                                    : tr("This run kept no outputs. Run it again."));
    m_text->setToolTip(widgets::plainTip(m_text->text()));
    m_layers->setVisible(!core::layerReportPlaces(data).empty());
    m_repeat->setVisible(repeatable);
}

}  // namespace qs::app

#include "moc_no_outputs_strip.cpp"
