#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/sweep/metric.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

enum class GateRelation { Less, AtMost, AtLeast, Greater };

// An expectation, with the conditions under which it is one; an empty condition is none.
struct Gate {
    std::string metric = "speedup";  // the name of one, see metricRegistry()
    GateRelation relation = GateRelation::AtLeast;
    double value = 0.0;       // in s, bytes, dB, nats, units/s, or plain; fractions, not percent
    std::string device = {};  // its id, its kind, or whole words of its name: "H200"
    std::string model = {};
    std::string precision = {};
    std::string layers = {};  // a filter, as cells have it
    std::optional<std::int64_t> batch = {};

    [[nodiscard]] bool holds(double measured) const;
    [[nodiscard]] bool hasConditions() const;
    bool operator==(const Gate&) const = default;
};

inline constexpr std::size_t kMostGates = 100;

// "ssim_mean >= 0.99", "cv <= 5 %", "latency < 12 ms", "speedup >= 1.2 for precision=int8dq;
// batch=16". Times and sizes need their unit. The error says what is wrong or still missing.
[[nodiscard]] Result<Gate> gateFromText(std::string_view text);
// A condition by its name: "device", "model", "precision", "layers" or "batch".
[[nodiscard]] Status setGateCondition(Gate& gate, std::string_view name, std::string_view value);
// Reads back to the same gate.
[[nodiscard]] std::string gateText(const Gate& gate);
// Without the conditions.
[[nodiscard]] std::string expectationText(const Gate& gate);
// The conditions alone: "precision=int8dq; batch=16".
[[nodiscard]] std::string conditionsText(const Gate& gate);
// "<" for a gate that wants ">=": how a measured value that fails stands to the limit.
[[nodiscard]] std::string_view failedRelation(GateRelation relation);
// A measured value of its metric with its unit, for people: "4.2 %", "1.5 ms".
[[nodiscard]] std::string gateValueText(const Gate& gate, double value, int digits = 4);

// The members "device", "model", "precision", "layers" and "batch" of an object.
void readGateConditions(JsonFields& fields, Gate& gate);
void writeGateConditions(const Gate& gate, Json& object);
// The member "gates" of presets: a list of texts, or of objects {"expect": …, "device": …,
// "model": …, "precision": …, "layers": …, "batch": …}.
[[nodiscard]] std::vector<Gate> gatesFromJson(const Json& json, const std::string& path,
                                              std::vector<JsonIssue>& issues);
[[nodiscard]] Json gatesToJson(const std::vector<Gate>& gates);

}  // namespace qs::core
