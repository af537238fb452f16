#pragma once

#include "widgets/model/model_inspector.h"

#include <QWidget>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace qs::widgets {

// What is known of the model in the few lines that a panel has: its headline, or what is wrong with
// it, the way to the whole report, and a button for each answer when there is a question.
class ModelStatus final : public QWidget
{
    Q_OBJECT

public:
    explicit ModelStatus(QWidget* parent = nullptr);

    void showReading(const QString& reference);
    void showInspection(const Inspection& inspection);
    // Several models are swept over; each has a report of its own.
    void showNothing();

Q_SIGNALS:
    void choiceMade(const QString& reference);

private:
    void clearChoices();
    void openReport();
    void openConversion();

    Inspection m_inspection;
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_report;
    QVBoxLayout* m_choices;
};

}  // namespace qs::widgets
