#include "tests/image/golden_cases.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>

namespace qs::tests {

namespace {

using core::Picture;

constexpr int kSide = 256;

class Lcg final
{
public:
    int next()
    {
        m_state = m_state * 1664525U + 1013904223U;
        return static_cast<int>(m_state >> 24U);
    }

private:
    std::uint32_t m_state = 12345;
};

Picture changed(const std::function<int(int)>& change)
{
    Picture picture = goldenReference();
    for (float& value : picture.values)
        value = static_cast<float>(std::clamp(change(static_cast<int>(value)), 0, 255));
    return picture;
}

Picture noisy(int modulus)
{
    Lcg lcg;
    return changed([&](int v) { return v + lcg.next() % modulus - modulus / 2; });
}

Picture pixelChanged()
{
    Picture picture = goldenReference();
    picture.at(128, 128, 0) += 1.0F;
    return picture;
}

Picture blurred()
{
    const Picture from = goldenReference();
    Picture picture = from;
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
            int sum = 0;
            for (int i = 0; i < 9; ++i)
                sum += static_cast<int>(from.at(std::clamp(x + i % 3 - 1, 0, kSide - 1),
                                                std::clamp(y + i / 3 - 1, 0, kSide - 1), 0));
            picture.at(x, y, 0) = static_cast<float>(sum / 9);
        }
    }
    return picture;
}

}  // namespace

Picture goldenReference()
{
    Picture picture = core::makePicture(kSide, kSide, 1);
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
            const bool inDisc = (x - 128) * (x - 128) + (y - 128) * (y - 128) < 4096;
            picture.at(x, y, 0) =
                static_cast<float>(x / 2 + 48 * ((x / 8 + y / 8) % 2) + (inDisc ? 64 : 0));
        }
    }
    return picture;
}

std::vector<GoldenCase> goldenCases()
{
    const double infinity = std::numeric_limits<double>::infinity();
    return {
        {"identity", goldenReference(), {1, 1, 1, 1}, 1, infinity},
        {"one pixel + 1",
         pixelChanged(),
         {0.9999999834, 0.9999999799, 0.9999999846, 0.9999999846},
         0.999944,
         96.295603},
        {"v + 10",
         changed([](int v) { return v + 10; }),
         {0.9870110535, 0.9876693475, 0.9831016035, 0.9830678856},
         0.598623,
         28.130804},
        {"16 levels",
         changed([](int v) { return v / 16 * 16 + 8; }),
         {0.9908211823, 0.9894174457, 0.9876152227, 0.9875674201},
         0.686753,
         34.806419},
        {"4 levels",
         changed([](int v) { return v / 64 * 64 + 32; }),
         {0.7674957140, 0.7621555780, 0.7607061440, 0.7606993480},
         0.085760,
         22.796897},
        {"noise of 8",
         noisy(17),
         {0.9621949514, 0.9612007942, 0.9588942691, 0.9588742174},
         0.789755,
         34.338408},
        {"noise of 32",
         noisy(65),
         {0.6795285074, 0.7202920652, 0.6684235662, 0.6684939284},
         0.203491,
         22.901367},
        {"255 - v",
         changed([](int v) { return 255 - v; }),
         {-0.6006820891, -0.5890218527, -0.5812699906, -0.5812604199},
         -0.975505,
         6.864036},
        {"3 x 3 mean",
         blurred(),
         {0.8073391692, 0.8226229520, 0.8107775926, 0.8107676024},
         0.316989,
         27.118865},
    };
}

Picture withNoise(Picture picture, double amplitude)
{
    Lcg lcg;
    for (float& value : picture.values)
        value += static_cast<float>(amplitude * (static_cast<double>(lcg.next()) - 127.5) / 127.5);
    return picture;
}

}  // namespace qs::tests
