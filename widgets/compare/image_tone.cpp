#include "widgets/compare/image_tone.h"

#include <QCoreApplication>
#include <QMetaObject>

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

struct ImageToneText {
    Q_DECLARE_TR_FUNCTIONS(ImageTone)
};

// Panes of one comparison: what is beyond them has been left.
constexpr std::size_t kMostKept = 24;

}  // namespace

QString channelName(ImageChannel channel)
{
    switch (channel) {
    case ImageChannel::All:
        return ImageToneText::tr("all channels");
    case ImageChannel::Red:
        return ImageToneText::tr("red");
    case ImageChannel::Green:
        return ImageToneText::tr("green");
    case ImageChannel::Blue:
        return ImageToneText::tr("blue");
    }
    return {};
}

PaneImage tonedImage(const std::shared_ptr<const core::Picture>& picture, const ImageTone& tone)
{
    // What is said of a pixel is what the model made.
    PaneImage original = paneImage(picture);
    if (tone.isNeutral())
        return original;
    auto toned = std::make_shared<core::Picture>(*picture);
    const auto gain = static_cast<float>(std::exp2(tone.stops));
    const int channel = static_cast<int>(tone.channel) - 1;
    const auto channels = static_cast<std::size_t>(toned->channels);
    for (std::size_t i = 0; i + channels <= toned->values.size(); i += channels) {
        if (channel >= 0 && channels == 3) {
            const float value = toned->values[i + static_cast<std::size_t>(channel)];
            std::fill_n(toned->values.begin() + static_cast<std::ptrdiff_t>(i), channels, value);
        }
        for (std::size_t c = 0; c < channels; ++c)
            toned->values[i + c] *= gain;
    }
    PaneImage made = paneImage(std::move(toned));
    made.valueAt = std::move(original.valueAt);
    return made;
}

void TonedImages::setTone(const ImageTone& tone)
{
    if (tone == m_tone)
        return;
    m_tone = tone;
    m_tone.stops = std::clamp(m_tone.stops, -kMostStops, kMostStops);
    m_made.clear();
    m_missing.clear();
    m_task.drop();
    Q_EMIT changed();
}

PaneImage TonedImages::of(const std::shared_ptr<const core::Picture>& picture,
                          const PaneImage& shown)
{
    if (m_tone.isNeutral() || picture == nullptr)
        return shown;
    if (const auto found = m_made.find(picture); found != m_made.end())
        return found->second;
    if (std::find(m_missing.begin(), m_missing.end(), picture) == m_missing.end())
        m_missing.push_back(picture);
    // All panes ask in one turn of the event loop.
    if (!std::exchange(m_scheduled, true))
        QMetaObject::invokeMethod(this, &TonedImages::make, Qt::QueuedConnection);
    return shown;
}

void TonedImages::make()
{
    m_scheduled = false;
    if (m_missing.empty())
        return;
    m_task.start(
        this,
        [pictures = m_missing, tone = m_tone](const auto& wanted) {
            Made made;
            for (const auto& picture : pictures) {
                if (wanted())
                    made.emplace(picture, tonedImage(picture, tone));
            }
            return made;
        },
        [this](const Made& made) {
            if (m_made.size() + made.size() > kMostKept)
                m_made.clear();
            m_made.insert(made.begin(), made.end());
            m_missing.clear();
            if (!made.empty())
                Q_EMIT changed();
        });
}

}  // namespace qs::widgets

#include "moc_image_tone.cpp"
