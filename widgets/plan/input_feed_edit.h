#pragma once

#include "core/model/workload.h"
#include "widgets/plan/feed_fields.h"

#include <QList>
#include <QWidget>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;

namespace qs::widgets {

// What one input of the model is fed with: the input with its type, a kind, the fields of that
// kind, and what is wrong with it.
class InputFeedEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit InputFeedEdit(const std::string& input, QWidget* parent = nullptr);

    [[nodiscard]] const std::string& input() const { return m_input; }
    // For a calibration set: a file or a text, and what is not named is generated.
    void offerFilesOnly();
    // "float32 [batch, 3, 224, 224]", and what is known of its values.
    void setType(const QString& type, const core::InputSpec& spec, bool channelsLast);
    // That of the model: a text begins with it.
    void setTokenizer(const std::string& path) { m_tokenizer = path; }
    void setFeed(const std::optional<core::InputFeed>& feed);
    // As it was told last; none: as the model itself says.
    [[nodiscard]] const std::optional<core::InputFeed>& feed() const { return m_feed; }
    // What the model or the files say against it; empty: nothing.
    void setObjection(const QString& objection);
    // Why the fields make no feed; empty if they do.
    [[nodiscard]] QString problem() const { return m_problem; }

Q_SIGNALS:
    void feedEdited(bool typing);
    void problemChanged();

private:
    void build();
    void chooseKind();
    void read(bool typing);
    [[nodiscard]] std::optional<core::InputFeed> usualFeed(FeedKind kind) const;
    [[nodiscard]] FeedKind kind() const;
    void showFields();
    void setProblem(const QString& problem);
    void showMessage();

    std::string m_input;
    std::string m_tokenizer;
    core::InputSpec m_spec;
    std::optional<core::InputFeed> m_feed;
    bool m_channelsLast = false;
    QString m_problem;
    QString m_objection;
    QLabel* m_type;
    QComboBox* m_kind;
    std::array<FeedFields*, 4> m_fields;  // by kind, without Default
    QLabel* m_message;
};

// The declared inputs, then those that are fed without being declared.
[[nodiscard]] std::vector<std::string>
namedInputs(const std::vector<core::InputSpec>& declared,
            const std::map<std::string, core::InputFeed>& fed);
// Whether there is a row for each of the inputs, in their order. If not, all rows are taken away,
// which a dialog of one survives; `listener` hears nothing of them any more.
[[nodiscard]] bool keepRows(QList<InputFeedEdit*>& rows, const std::vector<std::string>& inputs,
                            const QObject& listener);

}  // namespace qs::widgets
