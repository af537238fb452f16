#include "core/engine/compile/eager_comparison.h"

#include "core/base/format.h"
#include "core/lower/marked_node.h"
#include "core/measure/distance_limit.h"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/norm.h>

#include <algorithm>
#include <string>

namespace qs::engine {

namespace {

// || a - b || / || b ||; 0 where both are 0.
double relativeDistance(const at::Tensor& a, const at::Tensor& b)
{
    const at::Tensor wide = b.to(at::kDouble);
    const double difference = at::norm(a.to(at::kDouble) - wide).item<double>();
    const double size = at::norm(wide).item<double>();
    return difference == 0.0 ? 0.0 : difference / size;
}

// Of whole numbers, the share that differs: a token is not nearer to the next one.
double distanceBetween(const at::Tensor& given, const at::Tensor& expected)
{
    if (!given.is_floating_point())
        return given.ne(expected).to(at::kDouble).mean().item<double>();
    const at::Tensor finite = at::isfinite(expected);
    return relativeDistance(given.masked_select(finite), expected.masked_select(finite));
}

// The distance of an output, which is at most `most`.
core::Result<double> judge(const std::string& name, const at::Tensor& given,
                           const at::Tensor& expected, double most)
{
    // Where eager overflows, so must the other.
    if (!at::isfinite(given).equal(at::isfinite(expected)))
        return core::Error{core::ErrorCode::WrongResult,
                           name + ": other values than of eager are infinite or no numbers"};
    const double distance = distanceBetween(given, expected);
    if (distance <= most)
        return distance;
    return core::Error{core::ErrorCode::WrongResult,
                       name + ": " + core::formatSignificant(distance, 3) +
                           (given.is_floating_point()
                                ? " relative L2 from eager, at most "
                                : " of the numbers are not those of eager, at most ") +
                           core::formatSignificant(most, 3)};
}

}  // namespace

double mostDistanceToEager(const core::Graph& stage, const std::optional<double>& bf16FromFp32)
{
    const bool codes =
        std::any_of(stage.nodes.begin(), stage.nodes.end(), [](const core::Node& node) {
            return core::isMarked(node) && core::schemeOf(node)->activationRule;
        });
    return core::distanceLimit(codes, bf16FromFp32);
}

core::Result<double> distanceToEager(const StageSetup& setup, const core::Graph& reference,
                                     const std::vector<at::Tensor>& inputs,
                                     const std::function<void()>& run)
{
    NamedTensors tensors = setup.weights;
    for (const auto& [name, state] : setup.states)
        tensors[name] = state.clone();
    QS_TRY(const Executor eager, Executor::create(reference, tensors, setup.backend.device()));
    const std::vector<at::Tensor> expected = eager.run(inputs);
    run();
    const double most = mostDistanceToEager(setup.program.graph, setup.bf16FromFp32);
    // Tokens and classes are chosen among logits, and rounding decides between two that are as good
    // as equal: where a stage gives what they are chosen among, that is judged.
    const bool givesNumbers =
        std::any_of(expected.begin(), expected.end(),
                    [](const at::Tensor& output) { return output.is_floating_point(); });
    double largest = 0.0;
    for (std::size_t i = 0; i < reference.outputs.size(); ++i) {
        const std::string& name = reference.value(reference.outputs[i]).name;
        const at::Tensor& given = setup.values.at(name);
        if (givesNumbers && !given.is_floating_point())
            continue;
        QS_TRY(const double distance, judge(name, given, expected.at(i), most));
        largest = std::max(largest, distance);
    }
    return largest;
}

}  // namespace qs::engine
