#include "core/measure/pass_profile.h"

#include "core/base/json_enum.h"
#include "core/base/json_list.h"
#include "core/base/sha256.h"
#include "core/measure/nanoseconds.h"
#include "core/measure/record_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace qs::core {

namespace {

constexpr double kMostCalls = 1e9;
constexpr std::size_t kLongestName = 200;
// How far a recorded pass may skip ahead of what was seen before it was recorded.
constexpr std::size_t kFurthestSkip = 64;

struct NamePart {
    std::string_view part;
    WorkKind kind;
};

// The first part that a name contains decides. Names of cuBLAS, cuDNN, CUTLASS, FlashAttention,
// Triton code of Inductor, and of kernels of PyTorch, as profiles show them.
constexpr std::array kNameParts{
    NamePart{"triton_tem_", WorkKind::Product},
    NamePart{"flash", WorkKind::Attention},
    NamePart{"fmha", WorkKind::Attention},
    NamePart{"attention", WorkKind::Attention},
    NamePart{"sdpa", WorkKind::Attention},
    NamePart{"qs_product", WorkKind::Product},
    NamePart{"qs_skinny", WorkKind::Product},
    NamePart{"_round", WorkKind::Quantize},
    NamePart{"qs_widen", WorkKind::Quantize},
    NamePart{"qs_scale", WorkKind::Quantize},
    NamePart{"_scaled_mm_", WorkKind::Quantize},  // of Inductor: what is fused in front of it
    NamePart{"float8_e4m3", WorkKind::Quantize},
    NamePart{"qs_", WorkKind::Elementwise},  // of ours, where they do not quantize
    NamePart{"triton_", WorkKind::Elementwise},
    NamePart{"gemm", WorkKind::Product},
    NamePart{"gemv", WorkKind::Product},
    NamePart{"nvjet", WorkKind::Product},
    NamePart{"cutlass", WorkKind::Product},
    NamePart{"cublas", WorkKind::Product},
    NamePart{"splitKreduce", WorkKind::Product},
    NamePart{"xmma", WorkKind::Product},
    NamePart{"conv", WorkKind::Product},
    NamePart{"Memcpy", WorkKind::Copy},
    NamePart{"Memset", WorkKind::Copy},
    NamePart{"copy_kernel", WorkKind::Copy},
    NamePart{"CatArray", WorkKind::Copy},
    NamePart{"gather", WorkKind::Copy},
    NamePart{"index", WorkKind::Copy},
    NamePart{"elementwise", WorkKind::Elementwise},
    NamePart{"reduce", WorkKind::Elementwise},
    NamePart{"norm", WorkKind::Elementwise},
    NamePart{"softmax", WorkKind::Elementwise},
};

// Names of products for tensor cores before Hopper.
constexpr std::array<std::string_view, 8> kOlderChips{"cutlass_75", "cutlass_80", "sm75_",  "sm80_",
                                                      "ampere_",    "turing_",    "volta_", "wmma"};

using Key = std::pair<std::string, WorkKind>;

std::map<Key, KernelTime> totals(const std::vector<KernelEvent>& events, int passes)
{
    std::map<Key, KernelTime> all;
    for (const KernelEvent& event : events) {
        KernelTime& each = all[{event.name.substr(0, kLongestName), event.kind}];
        each.name = event.name.substr(0, kLongestName);
        each.kind = event.kind;
        ++each.calls;
        each.seconds += event.seconds;
    }
    // Of whole numbers: a kernel that each pass launches alike has a whole number of calls.
    for (auto& [key, each] : all) {
        each.calls /= passes;
        each.seconds /= passes;
    }
    return all;
}

// In the order of their start, each from where those before it have ended. What runs beside another
// kernel waits for it: kernels of a stream may begin while the one before them ends.
std::vector<KernelEvent> oneAfterTheOther(std::vector<KernelEvent> events)
{
    std::stable_sort(events.begin(), events.end(),
                     [](const KernelEvent& a, const KernelEvent& b) { return a.start < b.start; });
    double last = events.front().start;
    for (KernelEvent& event : events) {
        const double end = event.start + event.seconds;
        event.start = std::max(event.start, last);
        event.seconds = std::max(0.0, end - event.start);
        last = std::max(last, end);
    }
    return events;
}

std::string fingerprintOf(const std::map<Key, KernelTime>& all)
{
    std::map<std::string, double> calls;
    for (const auto& [key, kernel] : all)
        calls[kernel.name] += kernel.calls;
    std::string text;
    for (const auto& [name, count] : calls)
        text += name + "\n" + std::to_string(count) + "\n";
    return sha256Hex(text);
}

Json kernelsToJson(const std::vector<KernelTime>& kernels)
{
    Json list = Json::array();
    for (const KernelTime& kernel : kernels)
        list.push_back({{"name", kernel.name},
                        {"kind", kWorkKinds.of(kernel.kind)},
                        {"calls", kernel.calls},
                        {"seconds", wholeNanoseconds(kernel.seconds)}});
    return list;
}

void readKernels(JsonFields& fields, std::string_view name, std::vector<JsonIssue>& issues,
                 std::vector<KernelTime>& kernels)
{
    forEachObject(fields, name, issues, kernels, [&](JsonFields& each) {
        kernels.push_back({each.text("name"),
                           requireEnum(each, "kind", kWorkKinds, WorkKind::Unknown),
                           each.number("calls", 0.0, 0.0, kMostCalls),
                           each.number("seconds", 0.0, 0.0, kLongestSeconds)});
    });
}

}  // namespace

double PassProfile::seconds(WorkKind kind) const
{
    double sum = 0.0;
    for (const auto* list : {&kernels, &rest}) {
        for (const KernelTime& kernel : *list)
            sum += kernel.kind == kind ? kernel.seconds : 0.0;
    }
    return sum;
}

PassProfile profileOf(const std::vector<KernelEvent>& events, int passes)
{
    PassProfile profile;
    if (events.empty())
        return profile;
    const std::vector<KernelEvent> ordered = oneAfterTheOther(events);
    double busy = 0.0;
    double last = ordered.front().start;
    for (const KernelEvent& event : ordered) {
        busy += event.seconds;
        last = std::max(last, event.start + event.seconds);
    }
    profile.passSeconds = (last - ordered.front().start) / passes;
    profile.busySeconds = busy / passes;
    profile.launches = static_cast<double>(events.size()) / passes;
    const auto all = totals(ordered, passes);
    profile.fingerprint = fingerprintOf(all);
    for (const auto& [key, kernel] : all)
        profile.kernels.push_back(kernel);
    std::stable_sort(
        profile.kernels.begin(), profile.kernels.end(),
        [](const KernelTime& a, const KernelTime& b) { return a.seconds > b.seconds; });
    std::map<WorkKind, KernelTime> rest;
    while (profile.kernels.size() > PassProfile::kMostKernels) {
        const KernelTime kernel = std::move(profile.kernels.back());
        profile.kernels.pop_back();
        KernelTime& sum = rest[kernel.kind];
        sum.kind = kernel.kind;
        sum.calls += kernel.calls;
        sum.seconds += kernel.seconds;
    }
    for (auto& [kind, sum] : rest)
        profile.rest.push_back(std::move(sum));
    return profile;
}

WorkKind workKindOf(std::string_view kernel)
{
    for (const auto& [part, kind] : kNameParts) {
        if (kernel.find(part) != std::string_view::npos)
            return kind;
    }
    return WorkKind::Unknown;
}

bool isForOlderChip(std::string_view kernel)
{
    return std::any_of(kOlderChips.begin(), kOlderChips.end(), [&](std::string_view part) {
        return kernel.find(part) != std::string_view::npos;
    });
}

void takeKinds(std::vector<KernelEvent>& events, const std::vector<KernelEvent>& known)
{
    std::sort(events.begin(), events.end(),
              [](const KernelEvent& a, const KernelEvent& b) { return a.start < b.start; });
    std::size_t place = 0;
    for (KernelEvent& event : events) {
        event.kind = workKindOf(event.name);
        // The list is that of one pass, the events are of several.
        for (std::size_t skip = 0; skip < std::min(kFurthestSkip, known.size()); ++skip) {
            const std::size_t at = (place + skip) % known.size();
            if (known[at].name == event.name) {
                event.kind = known[at].kind;
                place = at + 1;
                break;
            }
        }
    }
}

Json toJson(const PassProfile& profile)
{
    return {{"pass_s", wholeNanoseconds(profile.passSeconds)},
            {"busy_s", wholeNanoseconds(profile.busySeconds)},
            {"launches", profile.launches},
            {"kernels", kernelsToJson(profile.kernels)},
            {"rest", kernelsToJson(profile.rest)},
            {"fingerprint", profile.fingerprint}};
}

PassProfile passProfileFromJson(const JsonView& json, const std::string& path,
                                std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    PassProfile profile;
    profile.passSeconds = fields.number("pass_s", 0.0, 0.0, kLongestSeconds);
    profile.busySeconds = fields.number("busy_s", 0.0, 0.0, kLongestSeconds);
    profile.launches = fields.number("launches", 0.0, 0.0, kMostCalls);
    readKernels(fields, "kernels", issues, profile.kernels);
    readKernels(fields, "rest", issues, profile.rest);
    if (profile.kernels.size() > PassProfile::kMostKernels)
        fields.complain("kernels", "more than " + std::to_string(PassProfile::kMostKernels));
    profile.fingerprint = fields.text("fingerprint");
    fields.finish();
    return profile;
}

}  // namespace qs::core
