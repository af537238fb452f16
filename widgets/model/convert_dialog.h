#pragma once

#include "core/base/result.h"
#include "core/measure/script_conversion.h"
#include "core/model/program_file.h"
#include "widgets/background/latest_task.h"

#include <QDialog>

#include <filesystem>
#include <optional>
#include <stop_token>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace qs::widgets {

// The trust dialog: what a program is, what running it means here, its SHA-256; what its inputs
// look like; then the conversion of a TorchScript file, or the trial of a package, see
// core/run/convert_program.h. Modeless.
class ConvertDialog final : public QDialog
{
    Q_OBJECT

public:
    ConvertDialog(const QString& file, const core::ProgramSummary& program, QWidget* parent);
    ~ConvertDialog() override;

Q_SIGNALS:
    // The model that can be opened now: the archive that was made, or the package itself.
    void converted(const QString& model);

public Q_SLOTS:
    void reject() override;

private:
    void build(const core::ProgramSummary& program);
    void addInputs(QFormLayout& form, const core::ProgramSummary& program);
    void addInput(const QString& name);
    void findHash();
    void forget();
    void convert();
    void finish(const core::Result<core::ConversionResult>& result);
    // Whether the conversion can begin, and what is missing.
    void check();
    void showText(const QString& text, bool problem);
    [[nodiscard]] core::Result<std::vector<core::DeclaredInput>> inputs() const;

    using Hash = std::optional<core::Result<std::string>>;
    using Conversion = std::optional<core::Result<core::ConversionResult>>;

    [[nodiscard]] bool isPackage() const { return m_kind == core::ProgramKind::Package; }

    QString m_file;
    core::ProgramKind m_kind;
    std::string m_hash;      // empty until it is known
    bool m_trusted = false;  // already, by what is remembered
    std::stop_source m_stop;
    QList<QLineEdit*> m_inputs;
    QFormLayout* m_inputRows = nullptr;
    QLineEdit* m_archive;
    QLineEdit* m_hashText;
    QCheckBox* m_remember;
    QPushButton* m_forget;
    QLabel* m_message;
    QProgressBar* m_progress;
    QPushButton* m_convert;
    bool m_done = false;
    // Last: their ends wait for what is under way.
    LatestTask<Hash> m_hashTask;
    LatestTask<Conversion> m_conversionTask;
};

}  // namespace qs::widgets
