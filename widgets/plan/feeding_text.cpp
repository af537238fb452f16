#include "widgets/plan/feeding_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include <set>

namespace qs::widgets {

namespace {

struct FeedingWords {
    Q_DECLARE_TR_FUNCTIONS(FeedingText)
};

QString typeText(const core::TensorType& type, bool batched)
{
    QStringList extents;
    for (const std::int64_t extent : type.shape)
        extents << (batched && extents.isEmpty() ? FeedingWords::tr("batch")
                                                 : QString::number(extent));
    const std::string_view dtype = core::name(type.dtype);
    return QStringLiteral("%1 [%2]").arg(
        QString::fromUtf8(dtype.data(), static_cast<qsizetype>(dtype.size())),
        extents.join(QStringLiteral(", ")));
}

struct FeedText {
    QString operator()(const core::ImageFeed&) const { return FeedingWords::tr("images"); }
    QString operator()(const core::RandomFeed&) const { return FeedingWords::tr("random"); }
    QString operator()(const core::FileFeed& file) const { return nameOf(file.path); }
    QString operator()(const core::TextFeed& text) const { return nameOf(text.path); }

    static QString nameOf(const std::string& path)
    {
        return QFileInfo(QString::fromStdString(path)).fileName();
    }
};

}  // namespace

QString inputTypeText(const core::TensorType& type, const core::InputSpec& input)
{
    const QString text = typeText(type, input.batched);
    return input.whole ? FeedingWords::tr("%1, %2 … %3")
                             .arg(text, QString::number(input.lowest, 'f', 0),
                                  QString::number(input.highest, 'f', 0))
                       : text;
}

QString outputTypeText(const std::string& output, const core::TensorType* type)
{
    const QString name = QString::fromStdString(output);
    return type == nullptr ? name : FeedingWords::tr("%1: %2").arg(name, typeText(*type, false));
}

QString outputKindText(core::OutputKind kind)
{
    switch (kind) {
    case core::OutputKind::Image:
        return FeedingWords::tr("image");
    case core::OutputKind::Logits:
        return FeedingWords::tr("logits of tokens");
    case core::OutputKind::Tokens:
        return FeedingWords::tr("token ids");
    case core::OutputKind::Classes:
        return FeedingWords::tr("scores of classes");
    case core::OutputKind::Embedding:
        return FeedingWords::tr("embedding");
    case core::OutputKind::Tensor:
        return FeedingWords::tr("any tensor");
    }
    return {};
}

QString feedingText(const core::ModelFeeding& feeding, const core::ModelFamily* family)
{
    QStringList parts;
    std::set<std::string> shown;
    if (family != nullptr) {
        for (const core::InputSpec& input : family->workload().inputs) {
            const auto found = feeding.inputs.find(input.name);
            const bool said = found != feeding.inputs.end();
            shown.insert(input.name);
            parts << QString::fromStdString(input.name) + QLatin1Char(' ') +
                         (said ? std::visit(FeedText(), found->second)
                               : FeedingWords::tr("random"));
        }
    }
    for (const auto& [input, feed] : feeding.inputs) {
        if (!shown.contains(input))
            parts << QString::fromStdString(input) + QLatin1Char(' ') +
                         std::visit(FeedText(), feed);
    }
    if (feeding.trained)
        parts << (*feeding.trained ? FeedingWords::tr("weights trained")
                                   : FeedingWords::tr("weights untrained"));
    if (!feeding.judged.empty())
        parts << FeedingWords::tr("output %1").arg(QString::fromStdString(feeding.judged));
    if (feeding.outputKind)
        parts << outputKindText(*feeding.outputKind);
    for (const core::StageCut& stage : feeding.stages)
        parts << FeedingWords::tr("stage %1").arg(QString::fromStdString(stage.name));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace qs::widgets
