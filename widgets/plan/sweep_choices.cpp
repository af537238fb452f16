#include "widgets/plan/sweep_choices.h"

#include "core/lower/program.h"
#include "core/sweep/input_residency.h"
#include "widgets/models/cell_text.h"

#include <QCoreApplication>

namespace qs::widgets {

namespace {

struct SweepChoicesWords {
    Q_DECLARE_TR_FUNCTIONS(SweepChoices)
};

QString choiceText(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString aboutAttention(core::AttentionKernel kernel)
{
    switch (kernel) {
    case core::AttentionKernel::Auto:
        return SweepChoicesWords::tr("PyTorch chooses the kernel");
    case core::AttentionKernel::Math:
        return SweepChoicesWords::tr("Plain matrix products: slow, in float32, runs everywhere");
    case core::AttentionKernel::Flash:
        return SweepChoicesWords::tr("FlashAttention: 16-bit types on GPUs since Ampere");
    case core::AttentionKernel::Efficient:
        return SweepChoicesWords::tr("The memory-efficient kernel of xFormers; NVIDIA GPUs");
    case core::AttentionKernel::Cudnn:
        return SweepChoicesWords::tr("The kernel of cuDNN: 16-bit types on NVIDIA GPUs");
    }
    return {};
}

QString aboutInputs(core::InputResidency residency)
{
    switch (residency) {
    case core::InputResidency::Device:
        return SweepChoicesWords::tr("Inputs are on the device: only the forward pass is measured");
    case core::InputResidency::Pageable:
        return SweepChoicesWords::tr("Each batch is copied from pageable memory before its pass");
    case core::InputResidency::Pinned:
        return SweepChoicesWords::tr("Each batch is copied from pinned memory before its pass");
    case core::InputResidency::Overlapped:
        return SweepChoicesWords::tr("The next batch is copied during the current pass");
    }
    return {};
}

}  // namespace

QList<ChoiceList::Choice> compileChoices()
{
    QList<ChoiceList::Choice> choices;
    for (const core::CompileMode& mode : core::offeredCompileModes())
        choices << ChoiceList::Choice{QString::fromStdString(mode.text()), compileText(mode.text()),
                                      QString::fromStdString(mode->description)};
    return choices;
}

ChoiceList::Choice otherCompileChoice(const QString& value)
{
    const std::string text = value.toStdString();
    const auto mode = core::parseCompileMode(text);
    return {value, compileText(text),
            mode.ok()
                ? value + QLatin1Char('\n') + QString::fromStdString(mode.value()->description)
                : value};
}

QList<ChoiceList::Choice> attentionChoices()
{
    QList<ChoiceList::Choice> choices;
    for (const core::AttentionKernel kernel : core::allAttentionKernels())
        choices << ChoiceList::Choice{choiceText(core::name(kernel)),
                                      choiceText(core::name(kernel)), aboutAttention(kernel)};
    return choices;
}

QList<ChoiceList::Choice> inputChoices()
{
    QList<ChoiceList::Choice> choices;
    for (const core::InputResidency residency : core::allInputResidencies())
        choices << ChoiceList::Choice{choiceText(core::name(residency)),
                                      choiceText(core::name(residency)), aboutInputs(residency)};
    return choices;
}

}  // namespace qs::widgets
