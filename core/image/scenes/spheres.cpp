#include "core/image/scenes/noise.h"
#include "core/image/scenes/scenes.h"

namespace qs::core::scenes {

namespace {

struct Vector {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
};

Vector operator+(Vector a, Vector b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

Vector operator*(Vector a, double factor)
{
    return {a.x * factor, a.y * factor, a.z * factor};
}

double dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

Vector normalised(Vector a)
{
    return a * (1.0 / std::sqrt(dot(a, a)));
}

struct Ball {
    Vector centre;
    double radius = 0.0;
    Rgb colour;
    double mirror = 0.0;
    double stripes = 0.0;  // per unit of height; 0 = plain
};

struct World {
    std::vector<Ball> balls;
    Vector light;
    Rgb floorLight;
    Rgb floorDark;
    Rgb skyTop;
    Rgb skyLow;
    double tile = 1.0;
};

constexpr double kFar = 1e9;
constexpr double kStart = 1e-6;  // a ray does not meet the surface it leaves

double meet(const Ball& ball, Vector from, Vector ray)
{
    const Vector offset = from + ball.centre * -1.0;
    const double b = dot(offset, ray);
    const double c = dot(offset, offset) - ball.radius * ball.radius;
    const double root = b * b - c;
    if (root < 0.0)
        return kFar;
    const double distance = -b - std::sqrt(root);
    return distance > kStart ? distance : kFar;
}

bool inShadow(const World& world, Vector from)
{
    return std::any_of(world.balls.begin(), world.balls.end(),
                       [&](const Ball& ball) { return meet(ball, from, world.light) < kFar; });
}

Rgb skyColour(const World& world, Vector ray)
{
    const Rgb colour = mix(world.skyLow, world.skyTop, unit(ray.y * 1.4));
    const double sun = std::max(0.0, dot(ray, world.light));
    const double spot = sun * sun * sun * sun;
    return mix(colour, grey(1.0), 0.7 * spot * spot * spot * spot);
}

Rgb floorColour(const World& world, Vector at, double distance)
{
    const auto parity = [&](double v) {
        return static_cast<std::int64_t>(std::floor(v / world.tile));
    };
    const bool odd = ((parity(at.x) + parity(at.z)) & 1) != 0;
    const double light = inShadow(world, at) ? 0.35 : 1.0;
    const Rgb tile = (odd ? world.floorLight : world.floorDark) * light;
    return mix(tile, world.skyLow, smooth(4.0, 22.0, distance));
}

Rgb trace(const World& world, Vector from, Vector ray, int bounces);

Rgb ballColour(const World& world, const Ball& ball, Vector at, Vector ray, int bounces)
{
    const Vector normal = (at + ball.centre * -1.0) * (1.0 / ball.radius);
    const double lambert = inShadow(world, at) ? 0.0 : std::max(0.0, dot(normal, world.light));
    Rgb base = ball.colour;
    if (ball.stripes > 0.0 && sine(normal.y * ball.stripes + 0.4 * normal.x) > 0.0)
        base = mix(base, grey(0.95), 0.75);
    const Vector bounced = normalised(ray + normal * (-2.0 * dot(ray, normal)));
    const double shine = std::max(0.0, dot(bounced, world.light));
    const double gloss = shine * shine * shine * shine * shine * shine * shine * shine;
    Rgb colour = base * (0.22 + 0.12 * normal.y + 0.8 * lambert);
    if (bounces > 0) {
        const double grazing = 1.0 + dot(ray, normal);
        const double mirror = unit(ball.mirror + 0.6 * grazing * grazing * grazing);
        colour = mix(colour, trace(world, at, bounced, bounces - 1), mirror);
    }
    return colour + grey(lambert > 0.0 ? 0.75 * gloss * gloss : 0.0);
}

Rgb trace(const World& world, Vector from, Vector ray, int bounces)
{
    double nearest = ray.y < -1e-9 ? -from.y / ray.y : kFar;
    const Ball* hit = nullptr;
    for (const Ball& ball : world.balls) {
        const double distance = meet(ball, from, ray);
        if (distance < nearest) {
            nearest = distance;
            hit = &ball;
        }
    }
    if (nearest >= kFar)
        return skyColour(world, ray);
    const Vector at = from + ray * nearest;
    return hit != nullptr ? ballColour(world, *hit, at, ray, bounces)
                          : floorColour(world, {at.x, 0.0, at.z}, nearest);
}

World randomWorld(Random& random)
{
    const Palette palette = randomPalette(random);
    World world;
    world.light = normalised({random.between(-0.7, 0.7), random.between(0.6, 1.0), -0.6});
    world.floorLight = mix(palette[4], grey(0.9), 0.4);
    world.floorDark = mix(palette[0], palette[1], random.uniform());
    world.skyTop = mix(palette[1], hsv(0.6, 0.5, 0.6), 0.5);
    world.skyLow = mix(palette[4], grey(0.85), 0.3);
    world.tile = random.between(0.35, 0.8);
    // Tries places; balls may not touch, so their number varies.
    for (int attempt = 0; attempt < 90; ++attempt) {
        Ball ball;
        ball.radius = random.between(0.16, 0.75);
        ball.centre = {random.between(-2.0, 2.0), ball.radius, random.between(-0.9, 4.0)};
        ball.colour = random.chance(0.6) ? sample(palette, random.uniform())
                                         : hsv(random.uniform(), 0.75, 0.85);
        ball.mirror = random.chance(0.35) ? random.between(0.4, 0.85) : 0.05;
        ball.stripes = random.chance(0.35) ? random.between(1.0, 5.0) : 0.0;
        const bool free =
            std::all_of(world.balls.begin(), world.balls.end(), [&](const Ball& other) {
                const Vector between = ball.centre + other.centre * -1.0;
                const double reach = ball.radius + other.radius;
                return dot(between, between) > reach * reach;
            });
        if (free && world.balls.size() < 14)
            world.balls.push_back(ball);
    }
    return world;
}

}  // namespace

void drawSpheres(Canvas& canvas, Random& random)
{
    const World world = randomWorld(random);
    const Vector eye{0.0, random.between(0.9, 1.6), -3.6};
    constexpr int kSamples = 3;  // per direction and pixel
    canvas.fill([&](Point p) {
        Rgb sum;
        for (int i = 0; i < kSamples * kSamples; ++i) {
            const double x = p.x + ((i % kSamples + 0.5) / kSamples - 0.5) * canvas.pixel();
            const double y = p.y + ((i / kSamples + 0.5) / kSamples - 0.5) * canvas.pixel();
            sum = sum + trace(world, eye, normalised({x - 0.5, 0.36 - y, 0.95}), 3);
        }
        return sum * (1.0 / (kSamples * kSamples));
    });
}

}  // namespace qs::core::scenes
