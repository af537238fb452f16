#include "widgets/plan/feeding_text.h"

#include "widgets/model/port_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include <set>

namespace qs::widgets {

namespace {

struct FeedingWords {
    Q_DECLARE_TR_FUNCTIONS(FeedingText)
};

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
