#pragma once

#include "core/analysis/answer.h"
#include "widgets/models/run_store.h"

#include <QFrame>
#include <QStringList>

#include <string>
#include <vector>

class QComboBox;
class QDoubleSpinBox;

namespace qs::app {

// What is asked of a run: what the best is the best in, what its pictures must be like, and what
// ratios are formed with. A panel that opens over the window.
class AnswerQuestionPanel final : public QFrame
{
    Q_OBJECT

public:
    // `store` must outlive the panel.
    AnswerQuestionPanel(widgets::RunStore& store, const core::AnswerQuestion& question,
                        QWidget* parent);

    [[nodiscard]] const core::AnswerQuestion& question() const { return m_question; }
    // A limit means something only with trained weights, and its name depends on the outputs.
    void setJudged(bool judged, core::OutputKind outputs = core::OutputKind::Image);
    // What kinds of samples the run has; with one there is nothing to ask.
    void setSamples(const std::vector<std::string>& samples, const std::string& asked);
    // Energy can be asked about only where it was recorded.
    void setEnergyKnown(bool known);
    // The baselines that can be chosen now.
    void updateBaseline();
    // "Throughput, any batch · mean SSIM ≥ 0.9900".
    [[nodiscard]] QString text() const;
    // "Throughput, SSIM ≥ 0.99".
    [[nodiscard]] QString shortText() const;
    // "best bf16".
    [[nodiscard]] QString baselineText() const;

Q_SIGNALS:
    // By the user.
    void questionChanged(const qs::core::AnswerQuestion& question);

private:
    void build();
    void layOut();
    void ask();
    void chooseBaseline(int index);

    widgets::RunStore& m_store;
    core::AnswerQuestion m_question;
    QComboBox* m_objective = nullptr;
    QComboBox* m_sample = nullptr;
    QStringList m_samples;
    QComboBox* m_limit = nullptr;
    QDoubleSpinBox* m_likeness = nullptr;
    QString m_likenessTitle;
    QComboBox* m_baseline = nullptr;
};

}  // namespace qs::app
