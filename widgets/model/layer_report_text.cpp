#include "widgets/model/layer_report_text.h"

#include "core/base/format.h"
#include "core/report/words/compile_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <optional>

namespace qs::widgets {

namespace {

struct LayerReportText {
    Q_DECLARE_TR_FUNCTIONS(LayerReport)
};

constexpr int kDigits = 3;

QString percent(double share)
{
    return LayerReportText::tr("%1 %").arg(share == 0.0 ? QStringLiteral("0")
                                                        : significantText(100.0 * share, kDigits));
}

QString percent(const std::optional<double>& share)
{
    return share ? percent(*share) : QString();
}

QString shareText(std::int64_t part, std::int64_t all)
{
    return all == 0 ? QString() : percent(static_cast<double>(part) / static_cast<double>(all));
}

QString countTip(std::int64_t part, std::int64_t all)
{
    const QLocale locale;
    return LayerReportText::tr("%1 of %2 values")
        .arg(locale.toString(qlonglong(part)), locale.toString(qlonglong(all)));
}

QString fusedText(const std::vector<core::FusedProduct>& products, const QString& separator,
                  bool withOperations)
{
    QStringList parts;
    for (const core::FusedProduct& each : products) {
        const QString kernel = QString::fromStdString(core::fusedProductText(each));
        parts << (withOperations && !each.operations.empty()
                      ? LayerReportText::tr("%1: %2", "kernel and its operations")
                            .arg(kernel,
                                 QString::fromStdString(core::operationsText(each.operations)))
                      : kernel);
    }
    return parts.join(separator);
}

}  // namespace

QString layerFigureTitle(LayerFigure figure)
{
    switch (figure) {
    case LayerFigure::Scale:
        return LayerReportText::tr("Median scale");
    case LayerFigure::Saturated:
        return LayerReportText::tr("Saturated");
    case LayerFigure::Underflown:
        return LayerReportText::tr("Underflown");
    case LayerFigure::WeightError:
        return LayerReportText::tr("Weight error");
    case LayerFigure::LocalError:
        return LayerReportText::tr("Output error, local");
    case LayerFigure::CumulativeError:
        return LayerReportText::tr("Output error, cumulative");
    case LayerFigure::Executed:
        return LayerReportText::tr("Executed");
    case LayerFigure::Fused:
        return LayerReportText::tr("Fused");
    case LayerFigure::SolverLoss:
        return LayerReportText::tr("GPTQ loss");
    case LayerFigure::SolverSeconds:
        return LayerReportText::tr("GPTQ time");
    case LayerFigure::DeadColumns:
        return LayerReportText::tr("Dead inputs");
    }
    return {};
}

QString layerFigureMeaning(LayerFigure figure)
{
    switch (figure) {
    case LayerFigure::Scale:
        return LayerReportText::tr("Median of all scales of the weight");
    case LayerFigure::Saturated:
        return LayerReportText::tr("Values of the weight at either end of the range of the type");
    case LayerFigure::Underflown:
        return LayerReportText::tr("Values of the weight that are stored as 0 and are not 0");
    case LayerFigure::WeightError:
        return LayerReportText::tr(
            "Of the weight against the one before quantization, relative (L2)");
    case LayerFigure::LocalError:
        return LayerReportText::tr(
            "Of the output, relative (L2), for the input that the layer has in the "
            "model without quantization");
    case LayerFigure::CumulativeError:
        return LayerReportText::tr(
            "Of the output, relative (L2), for the input that the quantized layers "
            "before give it");
    case LayerFigure::Executed:
        return LayerReportText::tr("What the products of the layer ran in; a mismatch is anything "
                                   "but the precision that was asked for, in any cell of the run");
    case LayerFigure::Fused:
        return LayerReportText::tr(
            "The kernel that compile mode fused computes the product of the layer in, or why "
            "PyTorch computes it, in any cell of the run; its operations stand in the tips");
    case LayerFigure::SolverLoss:
        return LayerReportText::tr(
            "Squared error of the output over the calibration samples, as GPTQ left it; layers "
            "whose inputs did not allow solving were rounded to nearest");
    case LayerFigure::SolverSeconds:
        return LayerReportText::tr(
            "Time that GPTQ took for the layer, the second moments of its inputs included");
    case LayerFigure::DeadColumns:
        return LayerReportText::tr("Inputs that were 0 in all calibration samples of GPTQ");
    }
    return {};
}

QString layerFigureText(const core::ReportedLayer& layer, LayerFigure figure)
{
    switch (figure) {
    case LayerFigure::Scale:
        return layer.scale.count == 0 ? QString() : significantText(layer.scale.median, kDigits);
    case LayerFigure::Saturated:
        return shareText(layer.saturated, layer.codes);
    case LayerFigure::Underflown:
        return shareText(layer.underflown, layer.codes);
    case LayerFigure::WeightError:
        return percent(layer.weightError);
    case LayerFigure::LocalError:
        return percent(layer.localError);
    case LayerFigure::CumulativeError:
        return percent(layer.cumulativeError);
    case LayerFigure::Executed:
        return layer.mismatch
                   ? LayerReportText::tr("mismatch: %1")
                         .arg(layer.executed.empty() ? LayerReportText::tr("not known what")
                                                     : QString::fromStdString(layer.executed))
                   : QString::fromStdString(layer.executed);
    case LayerFigure::Fused:
        return fusedText(layer.fused, QStringLiteral("; "), false);
    case LayerFigure::SolverLoss:
        if (layer.roundedToNearest.value_or(false))
            return LayerReportText::tr("rounded to nearest");
        return layer.solverLoss ? significantText(*layer.solverLoss, kDigits) : QString();
    case LayerFigure::SolverSeconds:
        return layer.solverSeconds
                   ? QString::fromStdString(core::formatSeconds(*layer.solverSeconds))
                   : QString();
    case LayerFigure::DeadColumns:
        return layer.deadColumns ? QLocale().toString(qlonglong(*layer.deadColumns)) : QString();
    }
    return {};
}

QString layerFigureTip(const core::ReportedLayer& layer, LayerFigure figure)
{
    switch (figure) {
    case LayerFigure::Scale:
        return LayerReportText::tr("%1 scales from %2 to %3, median %4")
            .arg(QLocale().toString(qlonglong(layer.scale.count)),
                 significantText(layer.scale.least, kDigits),
                 significantText(layer.scale.most, kDigits),
                 significantText(layer.scale.median, kDigits));
    case LayerFigure::Saturated:
        return countTip(layer.saturated, layer.codes);
    case LayerFigure::Underflown:
        return countTip(layer.underflown, layer.codes);
    case LayerFigure::WeightError:
    case LayerFigure::LocalError:
    case LayerFigure::CumulativeError:
    case LayerFigure::Executed:
    case LayerFigure::SolverLoss:
    case LayerFigure::SolverSeconds:
    case LayerFigure::DeadColumns:
        break;
    case LayerFigure::Fused:
        return fusedText(layer.fused, QStringLiteral("\n"), true);
    }
    return layerFigureText(layer, figure);
}

}  // namespace qs::widgets
