#pragma once

#include "widgets/model/model_inspector.h"

#include <QStringList>
#include <QWidget>

namespace qs::widgets {

class ModelEdit;
class ModelStatus;

// The model of the draft, with what is known of it: its headers are read when it is chosen.
class ModelPart final : public QWidget
{
    Q_OBJECT

public:
    explicit ModelPart(const std::filesystem::path& resourceFolder, QWidget* parent = nullptr);

    // `seed`: of generated weights.
    void showModels(const QStringList& references, std::int64_t seed);
    void setRecent(const QStringList& paths);
    [[nodiscard]] bool isBusy() const { return m_inspector.isBusy(); }

Q_SIGNALS:
    void modelsEdited(const QStringList& references);
    // What is known of the model; null while it is read, and of several.
    void inspected(const qs::widgets::Inspection& inspection);
    // Weights in a file or folder that can be used: worth remembering.
    void opened(const QString& path);

private:
    void receive(const Inspection& inspection);

    ModelEdit* m_edit;
    ModelStatus* m_status;
    ModelInspector m_inspector;
    QString m_asked;       // the reference that was asked about last
    bool m_usable = true;  // a file that was broken is read again, it may be whole now
};

}  // namespace qs::widgets
