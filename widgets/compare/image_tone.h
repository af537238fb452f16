#pragma once

#include "core/image/picture.h"
#include "widgets/background/latest_task.h"
#include "widgets/compare/pane_image.h"

#include <QObject>
#include <QString>

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace qs::widgets {

enum class ImageChannel { All, Red, Green, Blue };
inline constexpr std::array kImageChannels{ImageChannel::All, ImageChannel::Red,
                                           ImageChannel::Green, ImageChannel::Blue};
[[nodiscard]] QString channelName(ImageChannel channel);

// How images are shown to see more in them: brighter or darker, one channel in grey. What is said
// about a pixel, and what is compared, stays as it is.
struct ImageTone {
    int stops = 0;  // each doubles, or halves, the values
    ImageChannel channel = ImageChannel::All;

    [[nodiscard]] bool isNeutral() const { return *this == ImageTone{}; }
    bool operator==(const ImageTone&) const = default;
};
inline constexpr int kMostStops = 6;

// Any thread; takes time in proportion to the pixels.
[[nodiscard]] PaneImage tonedImage(const std::shared_ptr<const core::Picture>& picture,
                                   const ImageTone& tone);

// The images of the panes in the tone that was chosen, made on a worker. GUI thread.
class TonedImages final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void setTone(const ImageTone& tone);
    [[nodiscard]] const ImageTone& tone() const { return m_tone; }
    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }
    // `shown` is the image as it is, which stands in until the other has been made.
    [[nodiscard]] PaneImage of(const std::shared_ptr<const core::Picture>& picture,
                               const PaneImage& shown);

Q_SIGNALS:
    // Another tone was chosen, or images are there.
    void changed();

private:
    using Pictures = std::vector<std::shared_ptr<const core::Picture>>;
    using Made = std::map<std::shared_ptr<const core::Picture>, PaneImage>;

    void make();

    ImageTone m_tone;
    Pictures m_missing;
    Made m_made;  // in m_tone, of the pictures that are shown
    bool m_scheduled = false;
    LatestTask<Made> m_task;
};

}  // namespace qs::widgets
