#include "tests/widgets/compare/comparison_run.h"

#include "core/base/npy.h"
#include "core/image/picture_file.h"
#include "core/record/run_folder.h"
#include "tests/support/test_picture.h"

#include <cstdio>
#include <cstdlib>

namespace qs::tests {

using namespace core;

namespace {

void mustWork(const Status& status)
{
    if (status.ok())
        return;
    std::fprintf(stderr, "cannot make the run: %s\n", status.error().message.c_str());
    std::abort();
}

// From -1 to 1, by a linear congruential generator: equal on every machine.
class Noise
{
public:
    explicit Noise(std::uint32_t seed) : m_state(seed * 2654435761U + 1U) {}

    float next()
    {
        m_state = m_state * 1664525U + 1013904223U;
        return static_cast<float>(m_state >> 8U) / static_cast<float>(1U << 23U) - 1.0F;
    }

private:
    std::uint32_t m_state;
};

bool inDamage(int x, int y)
{
    return x >= ComparisonRun::kDamageLeft && y >= ComparisonRun::kDamageTop &&
           x < ComparisonRun::kDamageLeft + ComparisonRun::kDamageSide &&
           y < ComparisonRun::kDamageTop + ComparisonRun::kDamageSide;
}

Picture toModelRange(Picture picture)
{
    for (float& value : picture.values)
        value = value * 2.0F - 1.0F;
    return picture;
}

}  // namespace

ComparisonRun::ComparisonRun(const SampleRunOptions& options) : m_data(sampleRun(options))
{
    m_data.folder = m_folder.path();
    for (PlannedCell& cell : m_data.plan.cells)
        cell.config.sizes.set("image_size", kSide);
    mustWork(createFolders(m_folder / "inputs"));
    for (int i = 0; i < kPictures; ++i) {
        m_data.pictureNames[static_cast<std::size_t>(i)] = "0" + std::to_string(i + 1) + " waves";
        mustWork(writePng(inputPicture(folder(), kSide, i),
                          testPicture(static_cast<std::uint32_t>(i) + 1U, kSide)));
    }
    writeCell(reference(), 0.0F, 0.0F);
    writeCell(equal(), 0.0F, 0.0F);
    writeCell(a(), 0.01F, 0.15F);
    writeCell(b(), 0.004F, 0.004F);
}

void ComparisonRun::writeCell(const std::string& cell, float noise, float damage)
{
    mustWork(createFolders(m_folder.path() / "cells" / cell));
    for (int i = 0; i < kPictures; ++i) {
        Noise random(static_cast<std::uint32_t>(i) + 1U);
        Picture picture = readPicture(inputPicture(folder(), kSide, i)).value();
        for (int y = 0; y < kSide; ++y) {
            for (int x = 0; x < kSide; ++x) {
                for (int channel = 0; channel < 3; ++channel)
                    // 1.01: the brightest values leave [0, 1], as those of models do.
                    picture.at(x, y, channel) = picture.at(x, y, channel) * 1.01F +
                                                random.next() * (inDamage(x, y) ? damage : noise);
            }
        }
        mustWork(writeNpy(outputArray(folder(), cell, i), toPlanar(toModelRange(picture))));
    }
}

widgets::PictureRequest ComparisonRun::request(int index, bool withB) const
{
    widgets::PictureRequest request;
    request.runFolder = folder();
    request.imageSize = kSide;
    request.picture = index;
    request.reference.cellId = reference();
    request.a.cellId = a();
    if (withB)
        request.b.cellId = b();
    return request;
}

Picture ComparisonRun::output(const std::string& cell, int index) const
{
    Picture picture =
        pictureFromPlanar(readNpy(outputArray(folder(), cell, index)).value()).value();
    for (float& value : picture.values)
        value = (value + 1.0F) * 0.5F;
    return picture;
}

}  // namespace qs::tests
