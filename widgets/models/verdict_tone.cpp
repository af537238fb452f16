#include "widgets/models/verdict_tone.h"

#include "widgets/models/cell_text.h"

#include <QCoreApplication>
#include <QLocale>

namespace qs::widgets {

namespace {

struct VerdictToneWords {
    Q_DECLARE_TR_FUNCTIONS(VerdictTone)
};

// A sweep of fewer repeats never comes to a verdict; saying so in every row helps nobody.
bool awaitsRounds(const core::CellSummary& summary)
{
    const auto needed = static_cast<int>(core::VerdictRule{}.fewestRounds);
    return summary.claim && summary.claim->verdict == core::Verdict::TooFewRounds &&
           summary.roundsPlanned >= needed;
}

}  // namespace

VerdictTone claimTone(const core::SpeedClaim& claim)
{
    switch (claim.verdict) {
    case core::Verdict::Faster:
        return VerdictTone::Better;
    case core::Verdict::Slower:
        return VerdictTone::Worse;
    case core::Verdict::Same:
        return VerdictTone::Even;
    case core::Verdict::Ambiguous:
        return VerdictTone::Open;
    case core::Verdict::TooFewRounds:
        break;
    }
    return VerdictTone::None;
}

VerdictTone speedTone(const core::CellSummary& summary)
{
    if (!summary.claim)
        return VerdictTone::None;
    return awaitsRounds(summary) ? VerdictTone::Open : claimTone(*summary.claim);
}

VerdictTone qualityTone(const core::CellSummary& summary)
{
    if (!summary.qualityVerdict)
        return VerdictTone::None;
    switch (*summary.qualityVerdict) {
    case core::QualityVerdict::Better:
        return VerdictTone::Better;
    case core::QualityVerdict::Worse:
        return VerdictTone::Worse;
    case core::QualityVerdict::Same:
        return VerdictTone::Even;
    case core::QualityVerdict::Ambiguous:
    case core::QualityVerdict::TooFewPictures:
        break;
    }
    return VerdictTone::Open;
}

QString verdictSign(VerdictTone tone)
{
    switch (tone) {
    case VerdictTone::None:
        break;
    case VerdictTone::Better:
        return QStringLiteral("▲ ");
    case VerdictTone::Worse:
        return QStringLiteral("▼ ");
    case VerdictTone::Even:
        return QStringLiteral("= ");
    case VerdictTone::Open:
        return QStringLiteral("? ");
    }
    return {};
}

QString speedVerdictText(const core::CellSummary& summary)
{
    if (!summary.claim)
        return {};
    if (awaitsRounds(summary))
        return VerdictToneWords::tr("%1 of %2")
            .arg(QLocale().toString(summary.roundsOk), QLocale().toString(summary.roundsPlanned));
    return widgets::verdictText(*summary.claim);
}

QString qualityVerdictText(const core::CellSummary& summary)
{
    if (!summary.qualityVerdict)
        return {};
    switch (*summary.qualityVerdict) {
    case core::QualityVerdict::Better:
        return VerdictToneWords::tr("better");
    case core::QualityVerdict::Worse:
        return VerdictToneWords::tr("worse");
    case core::QualityVerdict::Same:
        return VerdictToneWords::tr("same");
    case core::QualityVerdict::Ambiguous:
        return VerdictToneWords::tr("undecided");
    case core::QualityVerdict::TooFewPictures:
        break;
    }
    return {};
}

}  // namespace qs::widgets
