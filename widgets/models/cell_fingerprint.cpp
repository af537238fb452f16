#include "widgets/models/cell_fingerprint.h"

#include <functional>
#include <string>

namespace qs::widgets {

namespace {

class Mixer final
{
public:
    template <typename T>
    void add(const T& value)
    {
        // The golden ratio spreads neighbouring hashes; plain xor would cancel equal members.
        m_hash ^= std::hash<T>{}(value) + 0x9e3779b97f4a7c15ULL + (m_hash << 6U) + (m_hash >> 2U);
    }
    template <typename T>
    void add(const std::optional<T>& value)
    {
        add(value.has_value());
        if (value)
            add(*value);
    }
    void add(const core::Interval& interval)
    {
        add(interval.lower);
        add(interval.upper);
    }
    [[nodiscard]] std::size_t hash() const { return m_hash; }

private:
    std::size_t m_hash = 0;
};

// The samples themselves change with their number, which is mixed in anyway.
void addDevice(Mixer& mixer, const core::DeviceFigures& device)
{
    mixer.add(device.clockMegahertz);
    mixer.add(device.slowedShare);
    mixer.add(device.powerCappedPercent);
    mixer.add(device.thermalCappedPercent);
    mixer.add(device.maximumCelsius);
    mixer.add(device.joulesPerPicture);
    mixer.add(device.energyWindowSeconds);
    mixer.add(device.energyWindowTooShort);
    mixer.add(device.endToEndSeconds);
    mixer.add(device.discards);
}

void addSpeed(Mixer& mixer, const core::CellSummary& cell)
{
    mixer.add(cell.seconds);
    mixer.add(cell.secondsInterval);
    mixer.add(cell.throughput);
    for (const std::string& name : cell.stageNames)
        mixer.add(name);
    for (const double seconds : cell.stageSeconds)
        mixer.add(seconds);
    mixer.add(cell.samples);
    mixer.add(cell.withinRoundVariation);
    mixer.add(cell.variationInterval);
    mixer.add(cell.baselineId);
    mixer.add(cell.cost.has_value());
    if (cell.cost) {
        mixer.add(cell.cost->run);
        mixer.add(cell.cost->perMillionPictures);
    }
    mixer.add(cell.speedup);
    mixer.add(cell.speedupInterval);
    mixer.add(cell.claim.has_value());
    if (cell.claim) {
        mixer.add(static_cast<int>(cell.claim->verdict));
        mixer.add(cell.claim->provisional);
        mixer.add(cell.claim->look);
        mixer.add(cell.claim->evidence.paired);
        mixer.add(cell.claim->cycles.has_value());
        if (cell.claim->cycles)
            mixer.add(cell.claim->cycles->ratio.value);
    }
    addDevice(mixer, cell.device);
}

void addQuality(Mixer& mixer, const core::CellSummary& cell, const CellContext& context)
{
    mixer.add(cell.ssimMean);
    mixer.add(cell.ssimWorst);
    mixer.add(cell.msSsimMean);
    mixer.add(cell.flipMean);
    mixer.add(cell.flipWorst);
    mixer.add(cell.maximumDifference);
    mixer.add(cell.meanDifference);
    mixer.add(cell.relativeL2);
    mixer.add(cell.cosineSimilarity);
    mixer.add(cell.qualityVerdict.has_value());
    if (cell.qualityVerdict)
        mixer.add(static_cast<int>(*cell.qualityVerdict));
    mixer.add(cell.psnrMean);
    mixer.add(cell.identical);
    mixer.add(cell.noiseMultiple);
    mixer.add(cell.worstNoiseMultiple);
    mixer.add(static_cast<int>(cell.noiseResult));
    mixer.add(cell.golden.has_value());
    if (cell.golden) {
        mixer.add(cell.golden->ssimMean);
        mixer.add(cell.golden->relativeL2);
    }
    mixer.add(cell.reconstructionPsnr);
    mixer.add(cell.reconstructionSsim);
    if (const NumericDeviation* deviation = context.deviation(cell)) {
        mixer.add(deviation->relativeL2);
        mixer.add(deviation->maximumDifference);
        mixer.add(deviation->pictures);
    }
}

}  // namespace

std::size_t cellFingerprint(const core::CellSummary& summary, const CellContext& context)
{
    Mixer mixer;
    mixer.add(summary.cellId);
    mixer.add(static_cast<int>(summary.status));
    mixer.add(summary.measured);
    mixer.add(summary.reason);
    mixer.add(summary.roundsOk);
    mixer.add(summary.roundsPlanned);
    addSpeed(mixer, summary);
    mixer.add(summary.memory.allocatedPeak);
    mixer.add(summary.memory.reservedPeak);
    mixer.add(summary.memory.processPeak);
    mixer.add(summary.memory.weightsResident);
    mixer.add(summary.weightsFileBytes);
    for (const auto& peak : summary.stagePeakBytes)
        mixer.add(peak);
    mixer.add(summary.executed);
    mixer.add(summary.quantizer);
    mixer.add(summary.attention);
    for (const std::string& note : summary.notes)
        mixer.add(note);
    addQuality(mixer, summary, context);
    if (const core::CellGates* gates = context.gatesOf(summary)) {
        for (const core::GateResult& result : *gates) {
            mixer.add(static_cast<int>(result.verdict));
            mixer.add(result.measured);
            mixer.add(result.reason);
        }
    }
    return mixer.hash();
}

}  // namespace qs::widgets
