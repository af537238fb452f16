#include "core/record/left_out.h"

namespace qs::core {

namespace {

std::string counted(std::uint64_t count, const char* what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> leftOutTexts(const LeftOut& leftOut)
{
    std::vector<std::string> texts;
    if (leftOut.journal.any())
        texts.push_back("the journal is damaged: " + damageText(leftOut.journal) +
                        (leftOut.journal.lines > 0 ? ". What was there is missing here" : ""));
    if (leftOut.notUnderstood > 0)
        texts.push_back(counted(leftOut.notUnderstood, "record") +
                        " of the journal cannot be understood and missing here, the first: " +
                        leftOut.firstNotUnderstood);
    if (leftOut.contradictions > 0)
        texts.push_back(
            counted(leftOut.contradictions, "record") +
            " of the journal contradict earlier ones of the same row or comparison, which "
            "count");
    if (leftOut.repetitions > 0)
        texts.push_back(counted(leftOut.repetitions, "record") +
                        " of the journal are there a second time and count once");
    for (const auto& [type, count] : leftOut.unknownTypes)
        texts.push_back(counted(count, "record") + " of the journal are of the unknown type \"" +
                        type + "\" and are left out");
    if (leftOut.tornBytes > 0)
        texts.push_back("the journal ends with an unfinished record of " +
                        counted(leftOut.tornBytes, "byte"));
    return texts;
}

}  // namespace qs::core
