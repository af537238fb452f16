#include "core/engine/quantize/observers.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/histc.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace qs::engine {

namespace {

constexpr double kPercent = 100.0;

class FeatureMaxima final : public InputObserver
{
public:
    [[nodiscard]] int passes() const override { return 1; }
    void beginPass(int) override {}
    void see(const at::Tensor& input) override
    {
        const at::Tensor rows = input.reshape({-1, input.size(-1)});
        const at::Tensor largest = rows.abs().amax({0}).to(at::kFloat);
        m_largest = m_largest.defined() ? at::maximum(m_largest, largest) : largest;
    }
    [[nodiscard]] at::Tensor statistic() const override { return m_largest; }

private:
    at::Tensor m_largest;
};

// Of the values, or of their magnitudes if the rule is symmetric.
class Range final : public InputObserver
{
public:
    explicit Range(const core::RangeRule& rule) : m_rule(rule) {}

    [[nodiscard]] int passes() const override
    {
        return m_rule.method == core::RangeMethod::Extremes ? 1 : 2;
    }
    void beginPass(int pass) override { m_pass = pass; }

    void see(const at::Tensor& input) override
    {
        const at::Tensor values =
            m_rule.symmetric ? input.to(at::kFloat).abs() : input.to(at::kFloat);
        if (m_pass == 0) {
            const double low = m_rule.symmetric ? 0.0 : values.min().item<double>();
            const double high = values.max().item<double>();
            m_low = m_seen ? std::min(m_low, low) : low;
            m_high = m_seen ? std::max(m_high, high) : high;
            m_seen = true;
            return;
        }
        if (m_low >= m_high)
            return;
        const at::Tensor counts =
            at::histc(values.flatten(), kRangeBins, m_low, m_high).to(at::kDouble).cpu();
        m_counts = m_counts.defined() ? m_counts + counts : counts;
    }

    [[nodiscard]] at::Tensor statistic() const override
    {
        double low = m_low;
        double high = m_high;
        if (m_counts.defined() && m_rule.method == core::RangeMethod::Percentile)
            cut(low, high);
        if (m_counts.defined() && m_rule.method == core::RangeMethod::Mse)
            shrink(low, high);
        return at::tensor(
            {static_cast<float>(m_rule.symmetric ? -high : low), static_cast<float>(high)});
    }

private:
    [[nodiscard]] double width() const { return (m_high - m_low) / kRangeBins; }

    void cut(double& low, double& high) const
    {
        const double* counts = m_counts.const_data_ptr<double>();
        const double total = m_counts.sum().item<double>();
        const double outside = 1.0 - m_rule.percentile / kPercent;
        const double above = total * (m_rule.symmetric ? outside : outside / 2.0);
        int last = kRangeBins;
        for (double left = 0.0; last > 1 && left + counts[last - 1] <= above; --last)
            left += counts[last - 1];
        int first = 0;
        if (!m_rule.symmetric) {
            for (double left = 0.0; first + 1 < last && left + counts[first] <= above; ++first)
                left += counts[first];
        }
        high = m_low + width() * last;
        low = m_low + width() * first;
    }

    void shrink(double& low, double& high) const
    {
        const at::Tensor middles =
            (at::arange(kRangeBins, at::TensorOptions(at::kDouble)) + 0.5) * width() + m_low;
        double least = -1.0;
        for (int candidate = kRangeCandidates; candidate > 0; --candidate) {
            const double share = static_cast<double>(candidate) / kRangeCandidates;
            const double error = errorOf(middles, m_low * share, m_high * share);
            if (least >= 0.0 && error >= least)
                continue;
            least = error;
            low = m_low * share;
            high = m_high * share;
        }
    }

    // The squared error of all values under the codes of that range.
    [[nodiscard]] double errorOf(const at::Tensor& middles, double low, double high) const
    {
        const double levels = m_rule.symmetric ? 127.5 : 255.0;
        const double least = std::min(low, 0.0);
        const double scale = (m_rule.symmetric ? high : std::max(high, 0.0) - least) / levels;
        if (scale <= 0.0)
            return INFINITY;
        const double zero = m_rule.symmetric ? 0.0 : -128.0 - std::nearbyint(least / scale);
        const at::Tensor codes = (middles.div(scale).round() + zero).clamp(-128.0, 127.0);
        const at::Tensor error = (codes - zero) * scale - middles;
        return (error.square() * m_counts).sum().item<double>();
    }

    core::RangeRule m_rule;
    int m_pass = 0;
    bool m_seen = false;
    double m_low = 0.0;
    double m_high = 0.0;
    at::Tensor m_counts;
};

// The largest magnitude of each sample, the latest first.
class RecentMaxima final : public InputObserver
{
public:
    explicit RecentMaxima(std::int64_t count) : m_count(static_cast<std::size_t>(count)) {}

    [[nodiscard]] int passes() const override { return 1; }
    void beginPass(int) override {}
    void see(const at::Tensor& input) override
    {
        m_maxima.insert(m_maxima.begin(), input.abs().max().to(at::kFloat).item<float>());
        m_maxima.resize(std::min(m_maxima.size(), m_count));
    }
    [[nodiscard]] at::Tensor statistic() const override
    {
        std::vector<float> all = m_maxima;
        all.resize(m_count, all.back());
        return at::tensor(all);
    }

private:
    std::size_t m_count;
    std::vector<float> m_maxima;
};

}  // namespace

std::unique_ptr<InputObserver> makeObserver(const core::Scheme& scheme)
{
    switch (scheme->statistic.value()) {
    case core::Statistic::FeatureMaxima:
        return std::make_unique<FeatureMaxima>();
    case core::Statistic::Range:
        return std::make_unique<Range>(core::rangeRuleOf(scheme));
    case core::Statistic::RecentMaxima:
        return std::make_unique<RecentMaxima>(scheme.whole("history"));
    case core::Statistic::SecondMoments:
        break;
    }
    QS_ASSERT(false);
    return nullptr;
}

}  // namespace qs::engine
