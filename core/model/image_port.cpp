#include "core/model/image_port.h"

#include "core/base/checks.h"

#include <array>
#include <utility>

namespace qs::core {

namespace {

constexpr std::int64_t kChannels = 3;
constexpr std::string_view kHeight = "height";
constexpr std::string_view kWidth = "width";

// Where the value of that image, channel (red first) and pixel lies in a tensor of the feed.
struct Layout {
    bool blueFirst;
    bool channelsLast;
    std::size_t pixels;

    [[nodiscard]] std::size_t place(std::size_t image, std::size_t channel, std::size_t pixel) const
    {
        const std::size_t own = blueFirst ? 2 - channel : channel;
        return channelsLast ? (image * pixels + pixel) * kChannels + own
                            : (image * kChannels + own) * pixels + pixel;
    }
};

}  // namespace

HostTensor ImagePort::taken(const FloatArray& images) const
{
    QS_ASSERT(images.shape.size() == 4 && images.shape[1] == kChannels);
    const std::int64_t rows = images.shape[2];
    const std::int64_t columns = images.shape[3];
    const auto pixels = static_cast<std::size_t>(rows * columns);
    const Layout own{feed.blueFirst, feed.channelsLast, pixels};
    const Layout ours{false, false, pixels};
    std::vector<float> values(images.values.size());
    for (std::size_t image = 0; image < static_cast<std::size_t>(images.shape[0]); ++image) {
        for (std::size_t channel = 0; channel < kChannels; ++channel) {
            for (std::size_t i = 0; i < pixels; ++i) {
                const double part = (images.values[ours.place(image, channel, i)] + 1.0) / 2.0;
                const double spread = feed.black + part * (feed.white - feed.black);
                values[own.place(image, channel, i)] =
                    static_cast<float>((spread - feed.mean[channel]) / feed.deviation[channel]);
            }
        }
    }
    std::vector<std::int64_t> shape{images.shape[0], kChannels, rows, columns};
    if (feed.channelsLast)
        shape = {images.shape[0], rows, columns, kChannels};
    return {std::move(shape), std::move(values)};
}

FloatArray ImagePort::given(const FloatArray& output) const
{
    const std::size_t first = feed.channelsLast ? 1 : 2;
    QS_ASSERT(output.shape.size() == 4 && output.shape[feed.channelsLast ? 3 : 1] == kChannels);
    FloatArray images{{output.shape[0], kChannels, output.shape[first], output.shape[first + 1]},
                      std::vector<float>(output.values.size())};
    const auto pixels = static_cast<std::size_t>(images.shape[2] * images.shape[3]);
    const Layout own{feed.blueFirst, feed.channelsLast, pixels};
    const Layout ours{false, false, pixels};
    for (std::size_t image = 0; image < static_cast<std::size_t>(images.shape[0]); ++image) {
        for (std::size_t channel = 0; channel < kChannels; ++channel) {
            for (std::size_t i = 0; i < pixels; ++i) {
                const double spread =
                    output.values[own.place(image, channel, i)] * feed.deviation[channel] +
                    feed.mean[channel];
                const double part = (spread - feed.black) / (feed.white - feed.black);
                images.values[ours.place(image, channel, i)] = static_cast<float>(part * 2.0 - 1.0);
            }
        }
    }
    return images;
}

ShapePoint ImagePort::inner(ShapePoint point) const
{
    if (!ownRowsAndColumns)
        return point;
    const std::int64_t size = point.sizes.find(kImageSize).value_or(1);
    point.sizes.remove(kImageSize);
    point.sizes.set(kHeight, size);
    point.sizes.set(kWidth, size);
    return point;
}

Result<ImagePort> imagePort(const ModelFamily& family, const std::string& input,
                            const std::vector<std::int64_t>& shape, const ImageFeed& feed)
{
    const auto refuse = [&](const std::string& why) {
        return Error{ErrorCode::InvalidArgument, "input " + input + " takes no images: " + why};
    };
    if (shape.size() != 4)
        return refuse("it has " + std::to_string(shape.size()) + " dimensions and not 4");
    const std::size_t first = feed.channelsLast ? 1 : 2;
    if (shape[feed.channelsLast ? 3 : 1] != kChannels)
        return refuse("it has " + std::to_string(shape[feed.channelsLast ? 3 : 1]) +
                      " channels and not 3; say layout=nhwc if channels come last");
    ImagePort port{input, feed};
    const Workload& workload = family.workload();
    const bool height = workload.findSize(kHeight) != nullptr;
    const bool width = workload.findSize(kWidth) != nullptr;
    if (height != width)
        return refuse("only one of its sides is free; images here are square");
    port.ownRowsAndColumns = height;
    if (height || workload.findSize(kImageSize) != nullptr)
        return port;
    if (shape[first] != shape[first + 1])
        return refuse("its " + std::to_string(shape[first + 1]) + " × " +
                      std::to_string(shape[first]) +
                      " pixels are not square; feed a file of tensors");
    port.fixedSize = shape[first];
    return port;
}

}  // namespace qs::core
