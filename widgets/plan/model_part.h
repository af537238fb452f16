#pragma once

#include "core/sweep/preset.h"
#include "widgets/model/model_inspector.h"

#include <QStringList>
#include <QWidget>

namespace qs::widgets {

class FeedingEdit;
class FoldSection;
class ModelEdit;
class ModelStatus;

// The model of the draft, with what is known of it and what has to be said of it: its headers are
// read when it is chosen.
class ModelPart final : public QWidget
{
    Q_OBJECT

public:
    explicit ModelPart(const std::filesystem::path& resourceFolder, QWidget* parent = nullptr);

    // `seed`: of generated weights.
    void showModels(const QStringList& references, std::int64_t seed);
    // What the preset says of the inputs and outputs, for the sizes of its sweep.
    void showFeeding(const core::Preset& preset);
    void giveImages();
    void setRecent(const QStringList& paths);
    [[nodiscard]] bool isBusy() const;
    // Whether one of the models does, as FeedingEdit says; of no meaning while it is busy.
    [[nodiscard]] bool takesImages() const;
    [[nodiscard]] bool hasSeveral() const { return m_asked.size() > 1; }
    // Why the model cannot be fed as it is said; empty if it can.
    [[nodiscard]] QString problem() const;

Q_SIGNALS:
    void modelsEdited(const QStringList& references);
    void feedingEdited(const qs::core::ModelFeeding& feeding, bool typing);
    void problemChanged();
    // What is known of the model, as it is fed; null while it is read. Of several that take no
    // images, of the first: all are fed alike.
    void inspected(const qs::widgets::Inspection& inspection);
    // Weights in a file or folder that can be used: worth remembering.
    void opened(const QString& path);

protected:
    bool event(QEvent* event) override;

private:
    void connectParts();
    void receive(const Inspection& inspection);
    void receiveOnly(const Inspection& inspection);
    void receiveOneOfSeveral(const Inspection& inspection);
    void showSection();

    ModelEdit* m_edit;
    ModelStatus* m_status;
    FeedingEdit* m_feeding;
    FoldSection* m_section;
    ModelInspector m_inspector;
    QStringList m_asked;   // the references that were asked about last
    qsizetype m_read = 0;  // so many of them
    Inspection m_first;    // of several
    bool m_anyTakesImages = false;
    std::int64_t m_seed = 0;
    bool m_wrong = false;  // what is said of inputs and outputs
    bool m_usable = true;  // a file that was broken is read again, it may be whole now
};

}  // namespace qs::widgets
