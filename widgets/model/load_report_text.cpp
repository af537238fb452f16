#include "widgets/model/load_report_text.h"

#include "core/base/format.h"
#include "widgets/model/port_text.h"
#include "widgets/models/number_text.h"

#include <QCoreApplication>
#include <QLocale>

namespace qs::widgets {

namespace {

struct LoadReportWords {
    Q_DECLARE_TR_FUNCTIONS(LoadReport)
};

std::int64_t parametersOf(const core::StageInfo& stage)
{
    std::int64_t count = 0;
    for (const core::WeightSpec& weight : stage.weights)
        count += weight.elementCount();
    return count;
}

QString tensorsText(std::size_t count)
{
    return countedText(static_cast<qsizetype>(count), LoadReportWords::tr("1 tensor"),
                       LoadReportWords::tr("%1 tensors"));
}

QString bytesText(std::uint64_t bytes)
{
    return QString::fromStdString(core::formatBytes(static_cast<double>(bytes)));
}

QStringList linesOf(const std::vector<std::string>& texts)
{
    QStringList lines;
    for (const std::string& text : texts)
        lines << QString::fromStdString(text);
    return lines;
}

ReportSection recognisedSection(const core::ModelInspection& inspection)
{
    ReportSection section;
    section.title = inspection.report.recognised.empty()
                        ? LoadReportWords::tr("Not recognised")
                        : QString::fromStdString(inspection.report.recognised);
    for (const auto& file : inspection.files)
        section.lines << LoadReportWords::tr("file %1").arg(QString::fromStdString(file.string()));
    if (inspection.fileBytes > 0)
        section.lines << LoadReportWords::tr("%1 on disk").arg(bytesText(inspection.fileBytes));
    if (!inspection.report.storedTypes.empty())
        section.lines << LoadReportWords::tr("stored as %1")
                             .arg(QString::fromStdString(inspection.report.storedTypes));
    if (inspection.family == nullptr)
        return section;
    for (const core::StageInfo& stage : inspection.family->stages()) {
        // Nothing is known of what it does inside.
        if (stage.program) {
            section.lines << LoadReportWords::tr("SHA-256 %1")
                                 .arg(QString::fromStdString(stage.program->sha256));
            continue;
        }
        section.lines << LoadReportWords::tr("stage %1: %2 in %3")
                             .arg(QString::fromStdString(stage.name),
                                  parametersText(parametersOf(stage)),
                                  tensorsText(stage.weights.size()));
    }
    return section;
}

// "batch 1 … 64, image size 224"
QString axesText(const core::Workload& workload)
{
    const auto range = [](std::int64_t lowest, std::int64_t highest) {
        if (highest <= 0)
            return QStringLiteral("%1 …").arg(lowest);  // not known
        return lowest == highest ? QString::number(lowest)
                                 : QStringLiteral("%1 … %2").arg(lowest).arg(highest);
    };
    QStringList axes{LoadReportWords::tr("batch %1")
                         .arg(range(workload.batches.lowest, workload.batches.highest))};
    for (const core::SizeSpec& size : workload.sizes)
        axes << QStringLiteral("%1 %2").arg(
            QString::fromStdString(size.name).replace(QLatin1Char('_'), QLatin1Char(' ')),
            range(size.fixed ? size.fallback : size.lowest(),
                  size.fixed ? size.fallback : size.largest));
    return axes.join(QStringLiteral(", "));
}

ReportSection portsSection(const core::Workload& workload, const core::ModelPorts* ports)
{
    ReportSection section;
    section.title = LoadReportWords::tr("Inputs and outputs");
    const auto typeOf = [&](const auto core::ModelPorts::*types, const std::string& name) {
        return ports == nullptr ? nullptr : core::typeIn(ports->*types, name);
    };
    for (const core::InputSpec& input : workload.inputs) {
        const core::TensorType* type = typeOf(&core::ModelPorts::inputs, input.name);
        const QString name = QString::fromStdString(input.name);
        section.lines
            << (type == nullptr
                    ? LoadReportWords::tr("input %1").arg(name)
                    : LoadReportWords::tr("input %1: %2").arg(name, inputTypeText(*type, input)));
    }
    for (const core::OutputSpec& output : workload.outputs) {
        QStringList facts{
            outputTypeText(output.name, typeOf(&core::ModelPorts::outputs, output.name)),
            outputKindText(output.kind)};
        if (output.name == workload.judged && workload.outputs.size() > 1)
            facts << LoadReportWords::tr("judged");
        section.lines << LoadReportWords::tr("output %1").arg(facts.join(QStringLiteral(" · ")));
    }
    section.lines << LoadReportWords::tr("axes: %1").arg(axesText(workload));
    return section;
}

QString operationsText(std::size_t count)
{
    return countedText(static_cast<qsizetype>(count), LoadReportWords::tr("1 operation"),
                       LoadReportWords::tr("%1 operations"));
}

// "aten.fft_fft.default", as programs name it.
QString operationText(const core::UnsupportedCall& call)
{
    const QString name = QString::fromStdString(call.operation);
    const QString prefix = QStringLiteral("torch.ops.");
    return name.startsWith(prefix) ? name.mid(prefix.size()) : name;
}

ReportSection unsupportedSection(const std::vector<core::UnsupportedCall>& calls)
{
    ReportSection section{
        LoadReportWords::tr("%1 cannot be run here").arg(operationsText(calls.size())),
        LoadReportWords::tr("Write the modules that use them with other operations, or leave "
                            "them out of the export."),
        {},
        true};
    for (const core::UnsupportedCall& call : calls) {
        QStringList facts{operationText(call),
                          countedText(call.calls, LoadReportWords::tr("1 call"),
                                      LoadReportWords::tr("%1 calls"))};
        if (!call.module.empty())
            facts << LoadReportWords::tr("first in %1").arg(QString::fromStdString(call.module));
        if (call.dataDependent)
            facts << LoadReportWords::tr("the size of its result depends on the data");
        section.lines << facts.join(QStringLiteral(" · "));
    }
    return section;
}

void addProblems(const core::ModelInspection& inspection, std::vector<ReportSection>& sections)
{
    const core::LoadReport& report = inspection.report;
    if (!report.missing.empty())
        sections.push_back(
            {LoadReportWords::tr("%1 missing").arg(tensorsText(report.missing.size())),
             LoadReportWords::tr(
                 "Required by the architecture but not in the files. Download the checkpoint "
                 "again if it is truncated, or open the file with the other tensors; a "
                 "training checkpoint may use other names."),
             linesOf(report.missing), true});
    if (!report.misshaped.empty())
        sections.push_back(
            {LoadReportWords::tr("%1 of another shape or type")
                 .arg(tensorsText(report.misshaped.size())),
             LoadReportWords::tr(
                 "The folder holds files of several variants, or the weights are already "
                 "quantized. Open the float weights (F32, F64, F16 or BF16) of one variant; "
                 "QuantScope quantizes them itself."),
             linesOf(report.misshaped), true});
    if (!report.unsupported.empty())
        sections.push_back(unsupportedSection(report.unsupported));
    if (inspection.usable() || !report.complete() || !report.unsupported.empty())
        return;
    if (inspection.program) {
        sections.push_back(
            {inspection.program->kind == core::ProgramKind::Package
                 ? LoadReportWords::tr("Not tried yet")
                 : LoadReportWords::tr("Not converted yet"),
             LoadReportWords::tr("A program: it was read and not run. If you trust it, use the "
                                 "button below the model."),
             QString::fromStdString(inspection.status.error().message).split(QLatin1Char('\n')),
             true});
        return;
    }
    const bool question = !inspection.choices.empty();
    sections.push_back(
        {question ? LoadReportWords::tr("Several models") : LoadReportWords::tr("Cannot be opened"),
         question ? LoadReportWords::tr("Choose one of the files.")
                  : LoadReportWords::tr("A model is a folder with encoder.safetensors and "
                                        "decoder.safetensors, one .safetensors file, a .pt2 of "
                                        "torch.export.save, \"demo\", or a name such as "
                                        "vitok:350M-f16x64."),
         QString::fromStdString(inspection.status.error().message).split(QLatin1Char('\n')), true});
}

void addRemarks(const core::ModelInspection& inspection, std::vector<ReportSection>& sections)
{
    const core::LoadReport& report = inspection.report;
    if (!report.unexpected.empty())
        sections.push_back(
            {LoadReportWords::tr("%1 not used").arg(tensorsText(report.unexpected.size())),
             LoadReportWords::tr("Unknown to the architecture and ignored. Optimizer state and "
                                 "averages are common here; weights of layers are not."),
             linesOf(report.unexpected), false});
    if (!report.renamed.empty())
        sections.push_back(
            {LoadReportWords::tr("%1 under legacy names").arg(tensorsText(report.renamed.size())),
             {},
             linesOf(report.renamed),
             false});
    if (!report.advice.empty())
        sections.push_back({LoadReportWords::tr("Advice"), {}, linesOf(report.advice), false});
    if (!inspection.trained && inspection.family != nullptr)
        sections.push_back(
            {LoadReportWords::tr("Weights are generated, not trained"),
             LoadReportWords::tr("Speed and memory are those of the real model; image quality "
                                 "is meaningless, so only the numeric deviation is shown."),
             {},
             false});
}

}  // namespace

QString parametersText(std::int64_t count)
{
    return LoadReportWords::tr("%1 parameters")
        .arg(QString::fromStdString(core::formatCount(static_cast<double>(count))));
}

QString reportHeadline(const core::ModelInspection& inspection)
{
    const core::LoadReport& report = inspection.report;
    if (inspection.program && !inspection.usable())
        return inspection.program->kind == core::ProgramKind::Package
                   ? LoadReportWords::tr("A compiled program (AOTInductor); try it to use it")
                   : LoadReportWords::tr("A TorchScript program; convert it to use it");
    if (!report.unsupported.empty()) {
        constexpr qsizetype kNamed = 8;
        QStringList names;
        for (const core::UnsupportedCall& call : report.unsupported)
            names << operationText(call).remove(QStringLiteral(".default"));
        if (names.size() > kNamed)
            names = names.mid(0, kNamed) << QStringLiteral("…");
        return LoadReportWords::tr("%1 cannot be run here: %2")
            .arg(operationsText(report.unsupported.size()), names.join(QStringLiteral(", ")));
    }
    if (!inspection.usable() && report.complete())
        return QString::fromStdString(inspection.status.error().message)
            .section(QLatin1Char('\n'), 0, 0);
    if (!inspection.usable()) {
        QStringList problems;
        if (!report.missing.empty())
            problems << LoadReportWords::tr("%1 missing").arg(tensorsText(report.missing.size()));
        if (!report.misshaped.empty())
            problems << LoadReportWords::tr("%1 of another shape or type")
                            .arg(tensorsText(report.misshaped.size()));
        return problems.join(QStringLiteral(" · "));
    }
    if (inspection.family->stages().front().program)
        return LoadReportWords::tr("A compiled program, run as it is · %1")
            .arg(bytesText(inspection.fileBytes));
    std::int64_t parameters = 0;
    for (const core::StageInfo& stage : inspection.family->stages())
        parameters += parametersOf(stage);
    QStringList parts;
    parts << countedText(static_cast<qsizetype>(inspection.family->stages().size()),
                         LoadReportWords::tr("1 stage"), LoadReportWords::tr("%1 stages"))
          << parametersText(parameters);
    if (inspection.trained)
        parts << QString::fromStdString(report.storedTypes) << bytesText(inspection.fileBytes);
    else
        parts << LoadReportWords::tr("generated weights");
    if (!report.unexpected.empty())
        parts << LoadReportWords::tr("%1 not used").arg(tensorsText(report.unexpected.size()));
    return parts.join(QStringLiteral(" · "));
}

std::vector<ReportSection> reportSections(const core::ModelInspection& inspection,
                                          const core::ModelPorts* ports)
{
    std::vector<ReportSection> sections{recognisedSection(inspection)};
    addProblems(inspection, sections);
    if (inspection.usable() && inspection.family != nullptr)
        sections.push_back(portsSection(inspection.family->workload(), ports));
    addRemarks(inspection, sections);
    return sections;
}

QString reportText(const core::ModelInspection& inspection, const core::ModelPorts* ports)
{
    QStringList lines{QString::fromStdString(inspection.displayName)};
    for (const ReportSection& section : reportSections(inspection, ports)) {
        lines << QString() << section.title;
        if (!section.advice.isEmpty())
            lines << section.advice;
        for (const QString& line : section.lines)
            lines << QStringLiteral("  ") + line;
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace qs::widgets
