#pragma once

#include "core/model/feeding_check.h"
#include "core/model/model_ports.h"
#include "core/sweep/preset.h"
#include "widgets/background/latest_task.h"
#include "widgets/model/model_inspector.h"

#include <QWidget>

#include <memory>
#include <optional>

class QComboBox;
class QFormLayout;
class QLabel;
class QVBoxLayout;

namespace qs::widgets {

class InputFeedEdit;
class JudgedOutputEdit;
class PathEdit;
class StageCutEdit;

// What the file of a model does not say: what each input is fed with, whether the weights are
// trained, which output is judged, what it holds and which classes are right, and where its stages
// begin. Each part is
// checked against the model and against the files it names.
class FeedingEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit FeedingEdit(QWidget* parent = nullptr);

    // The model as its file says; null while it is read, and of several.
    void setInspection(const Inspection& inspection);
    // What is being typed stays where the preset has it, too.
    void showPreset(const core::Preset& preset);

    // Images were given: a model of which nothing is said, now or later, gets them where one input
    // alone can take them, and its weights count as trained. Both stand there to be changed.
    void giveImages();

    // The model leaves something to be said, or something is said.
    [[nodiscard]] bool isNeeded() const;
    // A model of files of which nothing is said yet.
    [[nodiscard]] bool isUnanswered() const;
    // Images go into it, as far as it is known.
    [[nodiscard]] bool takesImages() const;
    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }
    // Why what stands there cannot be; empty if it can.
    [[nodiscard]] QString problem() const;
    // "x images · weights trained"
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    void feedingEdited(const qs::core::ModelFeeding& feeding, bool typing);
    // The model as it is fed: its stages and sizes may be others.
    void fed(const qs::widgets::Inspection& inspection);
    // Any answer above may be another.
    void changed();

private:
    struct Checked {
        core::FeedingCheck check;
        core::ModelPorts ports;
        // Where images wait for one, of a model of which nothing is said.
        std::optional<std::pair<std::string, core::ImageFeed>> imageInput;
    };
    struct Request {
        Inspection inspection;
        core::ModelFeeding feeding;
        core::Sizes sizes;
        std::int64_t images = 0;   // at most, for models of images
        bool givesImages = false;  // they wait for an input
        bool operator==(const Request&) const = default;
    };
    using Answer = std::shared_ptr<const Checked>;

    void build();
    void buildWeights();
    void connectParts();
    [[nodiscard]] static Answer answerTo(const Request& request);
    [[nodiscard]] const core::ModelFamily* family() const;
    void check();
    void receive(const Request& request, const Answer& answer);
    void tellFed(const Request& request, const core::FeedingCheck& check);
    void edit(bool typing);
    void editInput(const InputFeedEdit& row, bool typing);
    void feedGivenImages();
    void showFeeding();
    void showRows();
    void showTypes();
    void showWhatApplies();
    void showObjections();
    // An accuracy needs classes, or embeddings whose neighbours have one.
    [[nodiscard]] bool canBeRight() const;

    Request m_request;  // what is shown
    std::optional<Request> m_asked;
    Answer m_answer;
    Inspection m_fed;
    LatestTask<Answer> m_task;
    QVBoxLayout* m_rowLayout;
    QList<InputFeedEdit*> m_rows;
    QFormLayout* m_form;
    QComboBox* m_weights;
    JudgedOutputEdit* m_output;
    PathEdit* m_labels;
    QLabel* m_labelsMessage;
    StageCutEdit* m_stages;
};

}  // namespace qs::widgets
