#pragma once

#include <QTextBrowser>

namespace qs::app {

// A page of help with its pictures: of a picture "name.png" the one beside it called
// "name-dark.png" under a dark palette, and none wider than the page.
class HelpText final : public QTextBrowser
{
    Q_OBJECT

public:
    using QTextBrowser::QTextBrowser;

    // Called by the document for everything that a page names.
    [[nodiscard]] QVariant loadResource(int type, const QUrl& name) override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QString pictureFile(const QUrl& name) const;
    // Again, for another palette or width.
    void refreshPictures();
    [[nodiscard]] int roomForPictures() const;

    QList<QUrl> m_pictures;  // of all pages so far
};

}  // namespace qs::app
