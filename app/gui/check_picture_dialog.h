#pragma once

#include "app/gui/run_controller.h"
#include "core/base/temporary_folder.h"
#include "core/device/description.h"
#include "core/model/image_inputs.h"
#include "core/sweep/plan.h"
#include "core/sweep/preset.h"
#include "widgets/models/run_store.h"
#include "widgets/plan/planner.h"

#include <QDialog>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

class QLabel;
class QProgressBar;

namespace qs::app {

// The sweep of a single cell that sends the first picture of the draft, or the first sample that
// its inputs are fed with, once through its first model: bf16, eager, at the first of each size and
// on the first device.
[[nodiscard]] core::Preset onePicturePreset(const core::Preset& draft, std::int64_t batch);
// Its plan, for batch 1; of a model that has no such batch for the smallest of the draft that it
// takes.
[[nodiscard]] core::Result<core::Plan> onePicturePlan(const core::Preset& draft,
                                                      const core::PlanOptions& options);

// "Try one sample": does this model make of a picture, or of a prompt, what one expects? Runs the
// real worker in a temporary run folder, which goes with the dialog. Measures nothing worth
// keeping.
class CheckPictureDialog final : public QDialog
{
    Q_OBJECT

public:
    // `images`: go into the model.
    CheckPictureDialog(core::ProgramPaths paths, const core::Preset& draft, bool images,
                       std::vector<core::DeviceDescription> devices, QWidget* parent = nullptr);
    // Stops the worker and waits for its end.
    ~CheckPictureDialog() override;

    [[nodiscard]] bool isBusy() const { return m_busy; }

private:
    void build();
    [[nodiscard]] QWidget* buildPictures();
    void makePlan(const core::Preset& draft, std::vector<core::DeviceDescription> devices);
    void start(const widgets::Planner::Answer& plan);
    void runEnded(const QString& error);
    void showOutput(const core::Measurement& row);
    void showProblem(const QString& text);
    void showPicture(QLabel* label, const std::filesystem::path& file,
                     const core::MiddlePart& part = {});
    [[nodiscard]] std::filesystem::path runFolder() const;
    [[nodiscard]] QString findings(const core::Measurement& row) const;
    [[nodiscard]] QString comparison() const;

    core::ProgramPaths m_paths;
    core::Result<core::TemporaryFolder> m_folder;
    widgets::RunStore m_store;
    widgets::Planner m_planner;
    std::unique_ptr<RunController> m_controller;
    bool m_busy = true;

    QLabel* m_about = nullptr;
    QWidget* m_pictures = nullptr;
    QLabel* m_input = nullptr;
    QLabel* m_output = nullptr;
    QLabel* m_findings = nullptr;
    QProgressBar* m_progress = nullptr;
};

}  // namespace qs::app
