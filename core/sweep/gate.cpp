#include "core/sweep/gate.h"

#include "core/base/text_parts.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/gate_text.h"
#include "core/sweep/gate_unit.h"

#include <algorithm>
#include <array>

namespace qs::core {

namespace {

using gate_text::quoted;
using gate_text::refuse;

constexpr std::size_t kLongestGate = 1000;  // bytes

constexpr std::array<std::pair<std::string_view, GateRelation>, 6> kRelations{
    {{">=", GateRelation::AtLeast},
     {"<=", GateRelation::AtMost},
     {"≥", GateRelation::AtLeast},
     {"≤", GateRelation::AtMost},
     {">", GateRelation::Greater},
     {"<", GateRelation::Less}}};

std::string_view relationText(GateRelation relation)
{
    return std::find_if(kRelations.begin(), kRelations.end(),
                        [&](const auto& each) { return each.second == relation; })
        ->first;
}

std::string knownMetrics()
{
    std::string known;
    for (const Metric& metric : metricRegistry().metrics())
        known += (known.empty() ? "" : ", ") + metric.name;
    return known;
}

Result<const Metric*> metricFrom(std::string_view name)
{
    if (name.empty())
        return refuse("expected a metric first, one of " + knownMetrics());
    if (const Metric* metric = metricRegistry().find(name))
        return metric;
    return refuse("unknown metric " + quoted(name) + "; known are " + knownMetrics());
}

const Metric& metricOf(const std::string& name)
{
    const Metric* metric = metricRegistry().find(name);
    QS_ASSERT(metric != nullptr);
    return *metric;
}

Status readConditions(Gate& gate, std::string_view text)
{
    while (true) {
        const std::size_t end = text.find(';');
        const std::string_view item = trimmed(text.substr(0, end));
        const std::size_t sign = item.find('=');
        if (sign == std::string_view::npos)
            return refuse("after \"for\" expected conditions such as batch=16; precision=int8dq");
        QS_RETURN_IF_ERROR(
            setGateCondition(gate, trimmed(item.substr(0, sign)), trimmed(item.substr(sign + 1))));
        if (end == std::string_view::npos)
            return {};
        text.remove_prefix(end + 1);
    }
}

}  // namespace

bool Gate::holds(double measured) const
{
    switch (relation) {
    case GateRelation::Less:
        return measured < value;
    case GateRelation::AtMost:
        return measured <= value;
    case GateRelation::AtLeast:
        return measured >= value;
    case GateRelation::Greater:
        return measured > value;
    }
    QS_ASSERT(false);
    return false;
}

bool Gate::hasConditions() const
{
    return !device.empty() || !model.empty() || !precision.empty() || !layers.empty() ||
           batch.has_value();
}

Status setGateCondition(Gate& gate, std::string_view name, std::string_view value)
{
    if (value.empty() || value.size() > kLongestGate)
        return refuse("the condition " + quoted(name) + " has no value");
    if (name == "batch") {
        QS_TRY(const std::string batch, normalValue(name, value));
        gate.batch = std::stoll(batch);
    } else if (name == "precision") {
        QS_TRY(gate.precision, normalValue(name, value));
    } else if (name == "layers") {
        QS_TRY(gate.layers, normalValue(name, value));
    } else if (name == "model") {
        QS_TRY(gate.model, normalValue(name, value));
    } else if (name == "device") {
        QS_TRY(gate.device, normalValue(name, value));
    } else {
        return refuse(quoted(name) +
                      " is not a condition; known are device, model, precision, layers, batch");
    }
    return {};
}

Result<Gate> gateFromText(std::string_view text)
{
    text = trimmed(text);
    if (text.size() > kLongestGate)
        return refuse("is longer than " + std::to_string(kLongestGate) + " bytes");
    constexpr std::string_view kFor = " for ";
    const std::size_t conditions = text.find(kFor);
    const std::string_view expectation = trimmed(text.substr(0, conditions));
    const std::size_t nameEnd = expectation.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    Gate gate;
    QS_TRY(const Metric* metric, metricFrom(expectation.substr(0, nameEnd)));
    gate.metric = metric->name;
    const std::string_view rest =
        nameEnd == std::string_view::npos ? "" : trimmed(expectation.substr(nameEnd));
    const auto relation = std::find_if(kRelations.begin(), kRelations.end(), [&](const auto& each) {
        return rest.starts_with(each.first);
    });
    if (relation == kRelations.end())
        return refuse("after the metric expected >=, <=, > or <, then a number");
    gate.relation = relation->second;
    QS_TRY(gate.value,
           gateValueFrom(trimmed(rest.substr(relation->first.size())), metric->unit, metric->name));
    if (conditions != std::string_view::npos)
        QS_RETURN_IF_ERROR(readConditions(gate, text.substr(conditions + kFor.size())));
    return gate;
}

std::string expectationText(const Gate& gate)
{
    return gate.metric + " " + std::string(relationText(gate.relation)) + " " +
           exactValueText(metricOf(gate.metric).unit, gate.value);
}

std::string conditionsText(const Gate& gate)
{
    std::string text;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty())
            text += (text.empty() ? "" : "; ") + std::string(name) + "=" + value;
    };
    add("device", gate.device);
    add("model", gate.model);
    add("precision", gate.precision);
    add("layers", gate.layers);
    add("batch", gate.batch ? std::to_string(*gate.batch) : std::string());
    return text;
}

std::string gateText(const Gate& gate)
{
    return expectationText(gate) + (gate.hasConditions() ? " for " + conditionsText(gate) : "");
}

std::string_view failedRelation(GateRelation relation)
{
    switch (relation) {
    case GateRelation::Less:
        return ">=";
    case GateRelation::AtMost:
        return ">";
    case GateRelation::AtLeast:
        return "<";
    case GateRelation::Greater:
        return "<=";
    }
    QS_ASSERT(false);
    return {};
}

std::string gateValueText(const Gate& gate, double value, int digits)
{
    return roundedValueText(metricOf(gate.metric).unit, value, digits, gate.value);
}

}  // namespace qs::core
