#include "widgets/compare/image_tools.h"

#include "widgets/models/plain_tip.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <algorithm>

namespace qs::widgets {

ImageTools::ImageTools(QMenu& menu, QObject* parent) : QObject(parent)
{
    menu.addSeparator();
    const QAction* sheet = add(menu, "contactSheet", tr("&Contact sheet…"),
                               tr("This image as every cell made it, side by side (G)"));
    connect(sheet, &QAction::triggered, this,
            [this] { Q_EMIT sheetWanted(ImageSheet::Kind::Cells); });
    const QAction* worst = add(menu, "worstImages", tr("&Worst images…"),
                               tr("The images of this cell that are farthest from the reference"));
    connect(worst, &QAction::triggered, this,
            [this] { Q_EMIT sheetWanted(ImageSheet::Kind::WorstImages); });
    menu.addSeparator();
    addExposure(menu);
    addChannels(menu);
    m_histogram = add(menu, "histogram", tr("&Histogram"),
                      tr("How often each level occurs in each image (H)"));
    m_histogram->setCheckable(true);
    connect(m_histogram, &QAction::toggled, this, &ImageTools::histogramToggled);
}

QAction* ImageTools::add(QMenu& menu, const char* name, const QString& text, const QString& tip)
{
    QAction* action = menu.addAction(text);
    action->setObjectName(QString::fromLatin1(name));
    action->setToolTip(plainTip(tip));
    return action;
}

void ImageTools::addExposure(QMenu& menu)
{
    QMenu* exposure = menu.addMenu(tr("E&xposure"));
    exposure->setObjectName(QStringLiteral("exposureMenu"));
    exposure->setToolTipsVisible(true);
    const auto step = [this](int stops) {
        setTone({.stops = m_tone.stops + stops, .channel = m_tone.channel});
    };
    connect(add(*exposure, "brighter", tr("&Brighter"), tr("Twice the values (E)")),
            &QAction::triggered, this, [step] { step(1); });
    connect(add(*exposure, "darker", tr("&Darker"), tr("Half the values (D)")), &QAction::triggered,
            this, [step] { step(-1); });
    connect(add(*exposure, "asItIs", tr("&As it is"), tr("The values themselves")),
            &QAction::triggered, this,
            [this] { setTone({.stops = 0, .channel = m_tone.channel}); });
}

void ImageTools::addChannels(QMenu& menu)
{
    QMenu* channels = menu.addMenu(tr("Cha&nnel"));
    channels->setObjectName(QStringLiteral("channelMenu"));
    auto* group = new QActionGroup(this);
    for (std::size_t i = 0; i < kImageChannels.size(); ++i) {
        m_channels[i] = channels->addAction(channelName(kImageChannels[i]));
        m_channels[i]->setObjectName(QStringLiteral("channel%1").arg(i));
        m_channels[i]->setCheckable(true);
        m_channels[i]->setChecked(i == 0);
        group->addAction(m_channels[i]);
        connect(m_channels[i], &QAction::triggered, this, [this, channel = kImageChannels[i]] {
            setTone({.stops = m_tone.stops, .channel = channel});
        });
    }
}

bool ImageTools::isHistogramWanted() const
{
    return m_histogram->isChecked();
}

void ImageTools::setTone(const ImageTone& tone)
{
    ImageTone wanted = tone;
    wanted.stops = std::clamp(wanted.stops, -kMostStops, kMostStops);
    if (wanted == m_tone)
        return;
    m_tone = wanted;
    m_channels[static_cast<std::size_t>(m_tone.channel)]->setChecked(true);
    Q_EMIT toneChanged();
}

QString ImageTools::toneText() const
{
    QStringList parts;
    if (m_tone.stops != 0)
        parts << tr("exposure %1%2")
                     .arg(m_tone.stops > 0 ? QStringLiteral("+") : QStringLiteral("−"))
                     .arg(std::abs(m_tone.stops));
    if (m_tone.channel != ImageChannel::All)
        parts << channelName(m_tone.channel);
    return parts.join(QStringLiteral(" · "));
}

bool ImageTools::handleKey(int key)
{
    const auto next = [this] {
        return kImageChannels[(static_cast<std::size_t>(m_tone.channel) + 1) %
                              kImageChannels.size()];
    };
    switch (key) {
    case Qt::Key_E:
        setTone({.stops = m_tone.stops + 1, .channel = m_tone.channel});
        return true;
    case Qt::Key_D:
        setTone({.stops = m_tone.stops - 1, .channel = m_tone.channel});
        return true;
    case Qt::Key_C:
        setTone({.stops = m_tone.stops, .channel = next()});
        return true;
    case Qt::Key_H:
        m_histogram->toggle();
        return true;
    case Qt::Key_G:
        Q_EMIT sheetWanted(ImageSheet::Kind::Cells);
        return true;
    default:
        return false;
    }
}

}  // namespace qs::widgets

#include "moc_image_tools.cpp"
