#include "widgets/model/convert_dialog.h"

#include "core/base/sandbox.h"
#include "core/base/sha256.h"
#include "core/report/words/program_text.h"
#include "core/run/convert_program.h"
#include "core/run/program_paths.h"
#include "core/run/program_trust.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace qs::widgets {

namespace {

constexpr int kUsualWidth = 620;

core::ProgramTrust programTrust()
{
    return core::ProgramTrust(core::locatePrograms().programTrustFile);
}

QLabel* wrapped(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString joined(const std::vector<std::string>& texts)
{
    QStringList lines;
    for (const std::string& text : texts)
        lines << QString::fromStdString(text);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

ConvertDialog::ConvertDialog(const QString& file, const core::ProgramSummary& program,
                             QWidget* parent)
    : QDialog(parent),
      m_file(file),
      m_kind(program.kind),
      m_archive(new QLineEdit(this)),
      m_hashText(new QLineEdit(this)),
      m_remember(new QCheckBox(tr("Do not &ask again for this file"), this)),
      m_forget(new QPushButton(tr("&Forget"), this)),
      m_message(wrapped({}, this)),
      m_progress(new QProgressBar(this)),
      m_convert(new QPushButton(tr("&Trust and convert"), this))
{
    setObjectName(QStringLiteral("convertDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle((isPackage() ? tr("Try %1") : tr("Convert %1")).arg(QFileInfo(file).fileName()));
    build(program);
    resize(kUsualWidth, sizeHint().height());
    findHash();
    check();
}

ConvertDialog::~ConvertDialog()
{
    m_stop.request_stop();
}

void ConvertDialog::build(const core::ProgramSummary& program)
{
    m_archive->setObjectName(QStringLiteral("convertArchive"));
    m_archive->setText(QString::fromStdString(core::madeOf(m_file.toStdString(), m_kind).string()));
    // What is found out of a package is looked for beside it.
    m_archive->setReadOnly(isPackage());
    m_hashText->setObjectName(QStringLiteral("convertHash"));
    m_hashText->setReadOnly(true);
    m_hashText->setPlaceholderText(tr("Reading…"));
    m_hashText->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_remember->setObjectName(QStringLiteral("convertRemember"));
    m_forget->setObjectName(QStringLiteral("convertForget"));
    m_forget->setToolTip(tr("Ask again before this file is run"));
    m_message->setObjectName(QStringLiteral("convertMessage"));
    m_message->setMinimumHeight(3 * fontMetrics().lineSpacing());
    m_message->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    QSizePolicy kept = m_progress->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(kept);
    m_progress->hide();
    m_convert->setObjectName(QStringLiteral("convertButton"));

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    QLabel* about =
        wrapped(QString::fromStdString(program.text).section(QLatin1Char('\n'), 0, 0), this);
    about->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    form->addRow(tr("File"), about);
    form->addRow(tr("SHA-256"), m_hashText);
    addInputs(*form, program);
    form->addRow(tr("&Save as"), m_archive);
    auto* trust = new QHBoxLayout;
    trust->addWidget(m_remember, 1);
    trust->addWidget(m_forget);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(m_convert, QDialogButtonBox::AcceptRole);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(wrapped(
        QString::fromStdString(core::runningMeansText(m_kind, core::sandboxLimits())), this));
    layout->addLayout(form);
    layout->addLayout(trust);
    layout->addWidget(m_progress);
    layout->addWidget(m_message, 1);
    layout->addWidget(buttons);
    connect(m_archive, &QLineEdit::textChanged, this, &ConvertDialog::check);
    connect(m_forget, &QPushButton::clicked, this, &ConvertDialog::forget);
    connect(m_convert, &QPushButton::clicked, this, &ConvertDialog::convert);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

// One line for each input of forward(). A package does not say how many it has: a line comes when
// the last one is filled.
void ConvertDialog::addInputs(QFormLayout& form, const core::ProgramSummary& program)
{
    m_inputRows = new QFormLayout;
    m_inputRows->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form.addRow(m_inputRows);
    for (const std::string& name : program.inputs)
        addInput(QString::fromStdString(name));
    if (m_inputs.isEmpty())
        addInput(isPackage() ? tr("Input 1") : QStringLiteral("x: Tensor"));
    m_inputs.front()->setFocus();
}

void ConvertDialog::addInput(const QString& name)
{
    auto* edit = new QLineEdit(this);
    edit->setObjectName(QStringLiteral("convertInput%1").arg(m_inputs.size()));
    edit->setPlaceholderText(QStringLiteral("float32[batch,3,224,224]"));
    edit->setToolTip(tr("Type and sizes of the input. \"batch\" is the size that a sweep "
                        "changes; leave optional inputs empty."));
    connect(edit, &QLineEdit::textChanged, this, &ConvertDialog::check);
    m_inputRows->addRow(name, edit);
    // What has to be typed, from the top.
    if (!m_inputs.isEmpty())
        setTabOrder(m_inputs.back(), edit);
    setTabOrder(edit, m_archive);
    m_inputs << edit;
}

void ConvertDialog::findHash()
{
    m_hashTask.start(
        this, [file = m_file.toStdString()](const auto&) -> Hash { return core::sha256File(file); },
        [this](const Hash& hash) {
            if (hash && hash->ok())
                m_hash = hash->value();
            m_trusted = !m_hash.empty() && programTrust().trusts(m_hash);
            m_hashText->setText(QString::fromStdString(m_hash));
            m_hashText->setCursorPosition(0);
            if (hash && !hash->ok())
                showText(QString::fromStdString(hash->error().message), true);
            check();
        });
}

void ConvertDialog::forget()
{
    const core::ProgramTrust trust = programTrust();
    const core::Status forgotten = trust.forget(m_hash);
    m_trusted = trust.trusts(m_hash);
    if (!forgotten.ok())
        showText(QString::fromStdString(forgotten.error().message), true);
    check();
}

core::Result<std::vector<core::DeclaredInput>> ConvertDialog::inputs() const
{
    std::vector<core::DeclaredInput> inputs;
    bool ended = false;
    for (const QLineEdit* edit : m_inputs) {
        const QString text = edit->text().trimmed();
        if (text.isEmpty()) {
            ended = true;
            continue;
        }
        if (ended)
            return core::Error{core::ErrorCode::InvalidArgument,
                               "only the last inputs can be left out"};
        QS_TRY(core::DeclaredInput input, core::parseDeclaredInput(text.toStdString()));
        inputs.push_back(std::move(input));
    }
    if (inputs.empty())
        return core::Error{core::ErrorCode::InvalidArgument,
                           "Say what the inputs look like, such as float32[batch,3,224,224] or "
                           "int64[batch,128]."};
    return inputs;
}

void ConvertDialog::check()
{
    if (m_done || m_conversionTask.isBusy())
        return;
    if (isPackage() && !m_inputs.back()->text().trimmed().isEmpty())
        addInput(tr("Input %1").arg(m_inputs.size() + 1));
    m_forget->setEnabled(m_trusted);
    m_remember->setEnabled(!m_trusted);
    if (isPackage())
        m_convert->setText(m_trusted ? tr("&Try") : tr("&Trust and try"));
    else
        m_convert->setText(m_trusted ? tr("&Convert") : tr("&Trust and convert"));
    const auto declared = inputs();
    const bool exists = QFileInfo::exists(m_archive->text());
    m_convert->setEnabled(!m_hash.empty() && declared.ok() && !m_archive->text().isEmpty());
    if (!declared.ok())
        showText(QString::fromStdString(declared.error().message), false);
    else
        showText(exists ? tr("The file exists and will be replaced.") : QString(), false);
}

void ConvertDialog::showText(const QString& text, bool problem)
{
    m_message->setText(text);
    m_message->setForegroundRole(problem ? QPalette::WindowText : QPalette::PlaceholderText);
}

void ConvertDialog::convert()
{
    if (m_done) {
        Q_EMIT converted(isPackage() ? m_file : m_archive->text());
        close();
        return;
    }
    auto declared = inputs();
    if (!declared.ok() || m_hash.empty() || m_conversionTask.isBusy())
        return;
    if (m_remember->isChecked()) {
        const core::Status remembered =
            programTrust().remember({m_hash, QFileInfo(m_file).fileName().toStdString()});
        m_trusted = remembered.ok();
        if (!remembered.ok())
            showText(QString::fromStdString(remembered.error().message), true);
    }
    // A package that is tried is run soon; a TorchScript file never again.
    if (isPackage())
        programTrust().agree(m_hash);
    m_convert->setEnabled(false);
    m_progress->show();
    showText(isPackage() ? tr("Trying…") : tr("Converting…"), false);
    core::ConversionRequest request{m_file.toStdString(), m_hash, std::move(declared.value()),
                                    m_archive->text().toStdString()};
    m_stop = std::stop_source();
    m_conversionTask.start(
        this,
        [request = std::move(request), stop = m_stop.get_token()](const auto&) -> Conversion {
            return core::convertProgram(request, core::locatePrograms().worker, stop);
        },
        [this](const Conversion& result) {
            m_progress->hide();
            m_convert->setEnabled(true);
            if (result)
                finish(*result);
        });
}

void ConvertDialog::finish(const core::Result<core::ConversionResult>& result)
{
    if (!result.ok()) {
        showText(QString::fromStdString(result.error().message), true);
        return;
    }
    m_done = true;
    const core::ConversionResult& made = result.value();
    // Nothing that one would have to read: on to the model.
    if (made.fixedBatch.empty() && made.relativeDifference == 0.0 && made.lowestBatch == 1 &&
        made.filesShut && made.networkShut) {
        convert();
        return;
    }
    showText(joined(core::conversionTexts(made)), true);
    m_convert->setText(tr("&Open"));
    m_convert->setFocus();
}

void ConvertDialog::reject()
{
    m_stop.request_stop();
    m_conversionTask.drop();
    QDialog::reject();
}

}  // namespace qs::widgets

#include "moc_convert_dialog.cpp"
