#include "core/engine/quantize/sample_walk.h"

#include "core/base/checks.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace qs::engine {

using core::ValueKind;

namespace {

// A place is one to rest at if none before the eighth layer that comes holds clearly less.
constexpr std::size_t kStopsAhead = 7;
constexpr double kClearlyMore = 1.1;

// Tensors that are views of one memory are so in the copies as well.
class MemoryCopies final
{
public:
    at::Tensor copyOf(const at::Tensor& tensor)
    {
        const auto [place, isNew] = m_copies.try_emplace(tensor.storage().unsafeGetStorageImpl());
        if (isNew) {
            const auto bytes = tensor.options().dtype(at::kByte);
            place->second = at::empty({0}, bytes).set_(tensor.storage()).clone();
        }
        return at::empty({0}, tensor.options())
            .set_(place->second.storage(), tensor.storage_offset(), tensor.sizes(),
                  tensor.strides());
    }

private:
    std::unordered_map<const void*, at::Tensor> m_copies;
};

bool isHeld(ValueKind kind)
{
    return kind != ValueKind::Weight && kind != ValueKind::Constant;
}

}  // namespace

SampleWalk::SampleWalk(const core::Graph& graph, const Executor& executor,
                       std::vector<std::size_t> stops, std::vector<Values> samples)
    : m_graph(graph), m_executor(executor), m_stops(std::move(stops)), m_samples(std::move(samples))
{
    findLives();
    for (std::size_t slot = 0; slot < m_lives.size(); ++slot) {
        if (isHeld(m_graph.values[slot].kind))
            m_held.push_back(slot);
    }
    m_working = m_samples.front();
}

void SampleWalk::findLives()
{
    const std::size_t count = m_graph.nodes.size();
    m_lives.resize(m_graph.values.size());
    std::vector<bool> used(m_lives.size(), false);
    const auto use = [&](core::ValueId id, std::size_t node) {
        const auto slot = static_cast<std::size_t>(id);
        if (m_graph.values[slot].kind == ValueKind::State && !used[slot])
            m_lives[slot].from = node + 1;
        used[slot] = true;
        m_lives[slot].to = node;
    };
    for (std::size_t node = 0; node < count; ++node) {
        for (const core::ValueId id : m_graph.nodes[node].inputs()) {
            if (id >= 0)
                use(id, node);
        }
        for (const core::ValueId id : m_graph.nodes[node].outputs)
            m_lives[static_cast<std::size_t>(id)].from = node + 1;
    }
    for (const core::ValueId id : m_graph.outputs)
        m_lives[static_cast<std::size_t>(id)].to = count;
    m_inUse.assign(count + 1, 0);
    for (std::size_t slot = 0; slot < m_lives.size(); ++slot) {
        const core::Value& value = m_graph.values[slot];
        if (!isHeld(value.kind))
            continue;
        const std::int64_t bytes = value.type.elementCount() * core::byteSize(value.type.dtype);
        for (std::size_t place = m_lives[slot].from; place <= m_lives[slot].to; ++place)
            m_inUse[place] += bytes;
    }
}

// `from` is behind the first use.
bool SampleWalk::isOwnState(std::size_t slot, std::size_t until) const
{
    return m_graph.values[slot].kind == ValueKind::State && m_lives[slot].from <= until &&
           m_lives[slot].to >= m_place;
}

bool SampleWalk::changesMemory(std::size_t until) const
{
    for (std::size_t node = m_place; node < until; ++node) {
        if (!m_replacements.contains(node) && !m_graph.nodes[node].operation->mutates.empty())
            return true;
    }
    return false;
}

void SampleWalk::take(const Values& sample, std::size_t until, bool copies, Values& values) const
{
    MemoryCopies memory;
    for (const std::size_t slot : m_held) {
        values[slot] = sample[slot];
        const bool isState = m_graph.values[slot].kind == ValueKind::State;
        if (!copies || (isState && !isOwnState(slot, until)))
            continue;
        if (values[slot].isTensor() && values[slot].toTensor().defined())
            values[slot] = memory.copyOf(values[slot].toTensor());
    }
}

void SampleWalk::run(std::size_t until, Values& values) const
{
    std::size_t done = m_place;
    for (auto each = m_replacements.lower_bound(m_place);
         each != m_replacements.end() && each->first < until; ++each) {
        m_executor.runRange(done, each->first, values, {});
        m_executor.replace(each->first, values, each->second(values));
        done = each->first + 1;
    }
    m_executor.runRange(done, until, values, {});
}

void SampleWalk::replace(std::size_t instruction, Replacement by)
{
    QS_ASSERT(instruction >= m_place);
    m_replacements.insert_or_assign(instruction, std::move(by));
}

void SampleWalk::visit(std::size_t instruction,
                       const std::function<void(const Values& values)>& see)
{
    QS_ASSERT(instruction >= m_place);
    const bool copies = changesMemory(instruction);
    for (const Values& sample : m_samples) {
        take(sample, instruction, copies, m_working);
        run(instruction, m_working);
        see(m_working);
    }
    for (const std::size_t slot : m_held)
        m_working[slot] = c10::IValue();
}

std::size_t SampleWalk::emptiest(std::size_t last) const
{
    std::size_t best = m_place + 1;
    for (std::size_t place = best; place <= last; ++place) {
        if (m_inUse[place] <= m_inUse[best])
            best = place;
    }
    return best;
}

void SampleWalk::goOnTowards(std::size_t stop)
{
    if (m_stops.at(stop) <= m_place)
        return;
    const std::size_t near = emptiest(m_stops[stop]);
    const std::size_t far = emptiest(m_stops[std::min(stop + kStopsAhead, m_stops.size() - 1)]);
    if (static_cast<double>(m_inUse[near]) > kClearlyMore * static_cast<double>(m_inUse[far]))
        return;
    const bool copies = changesMemory(near);
    for (Values& sample : m_samples) {
        // What instructions change is the sample's own; states may still be shared.
        Values values = sample;
        take(sample, near, copies, values);
        sample = std::move(values);
        run(near, sample);
        for (const std::size_t slot : m_held) {
            if (m_graph.values[slot].kind == ValueKind::State && m_lives[slot].to < near)
                sample[slot] = c10::IValue();
        }
    }
    m_replacements.erase(m_replacements.begin(), m_replacements.lower_bound(near));
    m_place = near;
}

}  // namespace qs::engine
