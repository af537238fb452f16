#include "widgets/time/work_share.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace qs::widgets {

namespace {

struct WorkShareText {
    Q_DECLARE_TR_FUNCTIONS(WorkShare)
};

struct Look {
    const char* name;
    const char* about;
    QRgb onLight;
    QRgb onDark;
};

// clang-format off
Look lookOf(const WorkPart& part)
{
    using core::WorkKind;
    if (!part)
        return {QT_TRANSLATE_NOOP("WorkShare", "gaps"),
                QT_TRANSLATE_NOOP("WorkShare", "No kernel ran: on a GPU it waited for the host; on a CPU this is dispatch and compiled code"),
                0xffd9dce1, 0xff4a4f57};
    switch (*part) {
    case WorkKind::Product:
        return {QT_TRANSLATE_NOOP("WorkShare", "products"),
                QT_TRANSLATE_NOOP("WorkShare", "Matrix products and convolutions"), 0xff2b6cb0, 0xff3f8fe0};
    case WorkKind::Attention:
        return {QT_TRANSLATE_NOOP("WorkShare", "attention"),
                QT_TRANSLATE_NOOP("WorkShare", "Scaled dot-product attention"), 0xff3f7c6f, 0xff5fae9c};
    case WorkKind::Quantize:
        return {QT_TRANSLATE_NOOP("WorkShare", "quantizing"),
                QT_TRANSLATE_NOOP("WorkShare", "All of a quantized layer but its product: codes, scales, bias"), 0xffd77e16, 0xffe8963a};
    case WorkKind::Elementwise:
        return {QT_TRANSLATE_NOOP("WorkShare", "element-wise"),
                QT_TRANSLATE_NOOP("WorkShare", "Normalisation, activation functions, reductions"), 0xff8a63b0, 0xffa98ad0};
    case WorkKind::Copy:
        return {QT_TRANSLATE_NOOP("WorkShare", "copies"),
                QT_TRANSLATE_NOOP("WorkShare", "Casts, concatenations, gathers, copies"), 0xff929678, 0xffb3b78f};
    case WorkKind::Unknown:
        return {QT_TRANSLATE_NOOP("WorkShare", "other"),
                QT_TRANSLATE_NOOP("WorkShare", "Kernels of which only the name is known; the details of the measurement list them"), 0xffb8860b, 0xffd9b04a};
    }
    return {"", "", 0, 0};
}
// clang-format on

}  // namespace

WorkShares workSharesOf(const core::CellSummary& summary)
{
    WorkShares shares;
    if (!summary.division || !summary.measured || summary.seconds <= 0.0)
        return shares;
    for (const WorkPart& part : workParts()) {
        const double share = part ? summary.division->share(*part, summary.seconds)
                                  : summary.division->gapShare(summary.seconds);
        if (share > 0.0)
            shares.push_back({part, share});
    }
    return shares;
}

std::vector<WorkPart> workParts()
{
    std::vector<WorkPart> parts;
    for (const core::WorkKind kind : core::kWorkKinds.values())
        parts.emplace_back(kind);
    parts.emplace_back(std::nullopt);
    return parts;
}

QString workPartName(const WorkPart& part)
{
    return WorkShareText::tr(lookOf(part).name);
}

QString workPartAbout(const WorkPart& part)
{
    return WorkShareText::tr(lookOf(part).about);
}

QColor workPartColour(const WorkPart& part, bool dark)
{
    const Look look = lookOf(part);
    return QColor::fromRgb(dark ? look.onDark : look.onLight);
}

QString sharesText(const WorkShares& shares)
{
    QStringList texts;
    for (const WorkShare& each : shares)
        texts << WorkShareText::tr("%1 %2 %", "products 62 %")
                     .arg(workPartName(each.part),
                          QLocale().toString(100.0 * each.share, 'f', each.share < 0.0995 ? 1 : 0));
    return texts.join(QStringLiteral(", "));
}

}  // namespace qs::widgets
