#pragma once

#include "app/gui/window_actions.h"
#include "widgets/models/run_store.h"

#include <QObject>
#include <QPointer>
#include <QStringList>

#include <functional>

class QDialog;
class QWidget;

namespace qs::widgets {
class CellTable;
class CompareView;
class CurveView;
class EnvironmentDialog;
class ReferenceDialog;
class RunReferences;
}  // namespace qs::widgets

namespace qs::app {

// The windows beside the main one that say where numbers come from: how the selected cell was
// measured, in which environments, and what other programs measured. Made when they are asked for.
class DetailWindows final : public QObject
{
    Q_OBJECT

public:
    struct Sources {
        widgets::RunStore& store;
        widgets::CellTable& table;
        widgets::CompareView& pictures;
        widgets::CurveView& curves;
        std::function<QStringList()> otherRuns;  // folders that can be compared with
        std::function<bool()> sweeping;          // whether a sweep goes on
    };

    // Connects the actions, also in the menu of the table's rows. Everything given must outlive the
    // object.
    DetailWindows(Sources sources, const ViewActions& actions, QWidget& window);

    void showMeasured();
    void showEnvironments();
    void showReferences();

private:
    void askForReference();

    Sources m_sources;
    QWidget& m_window;
    QPointer<QDialog> m_measured;
    QPointer<widgets::EnvironmentDialog> m_environments;
    widgets::RunReferences* m_runReferences;  // child
    QPointer<widgets::ReferenceDialog> m_references;
};

}  // namespace qs::app
