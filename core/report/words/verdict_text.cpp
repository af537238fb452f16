#include "core/report/words/verdict_text.h"

#include "core/base/text_parts.h"

namespace qs::core {

namespace {

std::string leaningWords(Verdict leaning)
{
    switch (leaning) {
    case Verdict::Faster:
    case Verdict::Slower:
    case Verdict::Same:
        return std::string("leans ") + toString(leaning);
    case Verdict::Ambiguous:
    case Verdict::TooFewRounds:
        break;
    }
    return {};
}

std::string repeatsText(const SpeedClaim& claim)
{
    const auto& more = claim.outlook->moreRounds;
    if (more)
        return counted(static_cast<std::uint64_t>(*more), "more repeat") +
               (claim.verdict == Verdict::TooFewRounds ? " needed" : " would decide");
    if (!claim.evidence.paired)
        return "repeats are not paired";
    return "more than " + std::to_string(kMostRoundsForeseen) + " more repeats needed";
}

}  // namespace

std::string verdictText(const SpeedClaim& claim)
{
    if (claim.verdict == Verdict::TooFewRounds)
        return {};
    return std::string(toString(claim.verdict)) + (claim.provisional ? " so far" : "");
}

std::string leaningText(const SpeedClaim& claim)
{
    return claim.outlook ? leaningWords(claim.outlook->leaning) : std::string();
}

std::string outlookText(const SpeedClaim& claim)
{
    if (!claim.outlook)
        return {};
    const std::string leaning = leaningText(claim);
    return leaning + (leaning.empty() ? "" : "; ") + repeatsText(claim);
}

}  // namespace qs::core
