#include "widgets/measured/phase_text.h"

#include <QCoreApplication>

namespace qs::widgets {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(PhaseText)
};

}  // namespace

QString phaseText(const std::string& name)
{
    if (name == "self_test")
        return Text::tr("memory self-test");
    if (name == "load")
        return Text::tr("load");
    if (name == "quantize")
        return Text::tr("quantize");
    if (name == "compile")
        return Text::tr("compile");
    if (name == "first")
        return Text::tr("first call");
    if (name == "memory")
        return Text::tr("memory pass");
    if (name == "capture")
        return Text::tr("graph capture");
    if (name == "warmup")
        return Text::tr("warm-up");
    if (name == "measure")
        return Text::tr("samples");
    if (name == "energy")
        return Text::tr("energy");
    if (name == "outputs")
        return Text::tr("outputs");
    return QString::fromStdString(name);
}

QString phaseExplanation(const std::string& name)
{
    if (name == "self_test")
        return Text::tr("A block of known size is taken and given back while memory is counted");
    if (name == "load")
        return Text::tr("Weights are read and brought to the device");
    if (name == "quantize")
        return Text::tr("Weights are brought to the precision of the cell");
    if (name == "compile")
        return Text::tr("The program is made ready to run, up to its first pass");
    if (name == "first")
        return Text::tr("The first pass, in which libraries load and choose their kernels");
    if (name == "memory")
        return Text::tr("A pass that only looks at memory");
    if (name == "capture")
        return Text::tr("The pass is recorded as CUDA graphs");
    if (name == "warmup")
        return Text::tr("Passes until they no longer change");
    if (name == "measure")
        return Text::tr("Passes that are timed");
    if (name == "energy")
        return Text::tr("The same passes go on for the energy counter; none of them is timed");
    if (name == "outputs")
        return Text::tr("The pictures of the quality set are made and stored");
    return {};
}

}  // namespace qs::widgets
