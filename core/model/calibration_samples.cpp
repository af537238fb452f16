#include "core/model/calibration_samples.h"

#include "core/model/generated_inputs.h"
#include "core/model/generated_weights.h"
#include "core/model/image_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace qs::core {

namespace {

constexpr std::size_t kLeaves = 192;
constexpr double kLargestRadius = 0.35;  // of the side
constexpr double kSmallestRadius = 0.015;
constexpr double kColour = 0.5;    // how far the channels part
constexpr double kGradient = 1.5;  // over a side
// The seeds of cells are small.
constexpr std::int64_t kCalibrationSeeds = std::int64_t{1} << 40U;

struct Leaf {
    double x, y, squaredRadius;
    double alongX, alongY;  // change of brightness over a side
    std::array<double, 3> colour;
};

// In [0, 1).
class Draw
{
public:
    Draw(std::int64_t seed, std::int64_t number)
        : m_key(generatorKey(seed, "calibration/picture/" + std::to_string(number)))
    {
    }
    double operator()()
    {
        return static_cast<double>(generatorHash(m_key, m_next++) >> 11U) * 0x1p-53;
    }

private:
    std::uint64_t m_key;
    std::uint64_t m_next = 0;
};

Leaf drawLeaf(Draw& draw)
{
    // A density of radii that falls with their cube.
    const double least = kSmallestRadius * kSmallestRadius;
    const double ratio = least / (kLargestRadius * kLargestRadius);
    Leaf leaf{};
    leaf.x = draw();
    leaf.y = draw();
    leaf.squaredRadius = least / (1.0 - draw() * (1.0 - ratio));
    leaf.alongX = (draw() - 0.5) * kGradient;
    leaf.alongY = (draw() - 0.5) * kGradient;
    const double grey = draw() * 2.0 - 1.0;
    for (double& channel : leaf.colour)
        channel = grey + (draw() - 0.5) * kColour;
    return leaf;
}

}  // namespace

FloatArray generatedPicture(std::int64_t seed, std::int64_t number, std::int64_t size)
{
    Draw draw(seed, number);
    std::vector<Leaf> leaves;
    for (std::size_t i = 0; i < kLeaves; ++i)
        leaves.push_back(drawLeaf(draw));
    // What lies behind all of them.
    leaves.push_back(drawLeaf(draw));
    leaves.back().squaredRadius = 4.0;
    FloatArray picture{{1, 3, size, size}, {}};
    const auto pixels = static_cast<std::size_t>(size * size);
    picture.values.resize(3 * pixels);
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        const auto side = static_cast<std::size_t>(size);
        const double x = (static_cast<double>(pixel % side) + 0.5) / static_cast<double>(size);
        const double y = (static_cast<double>(pixel / side) + 0.5) / static_cast<double>(size);
        const auto top = std::find_if(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
            const double dx = x - leaf.x;
            const double dy = y - leaf.y;
            return dx * dx + dy * dy <= leaf.squaredRadius;
        });
        const double shade = (x - top->x) * top->alongX + (y - top->y) * top->alongY;
        for (std::size_t channel = 0; channel < 3; ++channel)
            picture.values[channel * pixels + pixel] =
                static_cast<float>(std::clamp(top->colour[channel] + shade, -1.0, 1.0));
    }
    return picture;
}

std::int64_t calibrationSeed(std::int64_t seed)
{
    return kCalibrationSeeds + seed;
}

Result<HostTensors> calibrationSample(const ModelFamily& family,
                                      const std::vector<const Graph*>& stages, const Sizes& sizes,
                                      std::int64_t seed, std::int64_t number)
{
    HostTensors inputs;
    if (family.workload().takesImages()) {
        QS_TRY(inputs,
               inputsOfImages(family,
                              generatedPicture(seed, number, sizes.find(kImageSize).value_or(1)),
                              sizes, inputShapes(stages)));
    }
    // What images do not give.
    inputs.merge(generateInputs(withoutInputs(family.workload(), inputs), stages,
                                calibrationSeed(seed), 1, number));
    return inputs;
}

std::vector<std::int64_t> chosenSamples(std::int64_t there, std::int64_t samples, std::int64_t seed)
{
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(there));
    std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
    // Fisher-Yates, as far as needed.
    const std::uint64_t key = generatorKey(seed, "calibration/choice");
    for (std::size_t i = 0; seed != 0 && i < static_cast<std::size_t>(samples); ++i)
        std::swap(numbers[i], numbers[i + generatorHash(key, i) % (numbers.size() - i)]);
    numbers.resize(static_cast<std::size_t>(samples));
    return numbers;
}

}  // namespace qs::core
