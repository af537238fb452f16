#pragma once

#include "widgets/compare/loaded_pictures.h"

#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <functional>
#include <list>
#include <memory>

namespace qs::widgets {

// Loads the pictures of the selection on a worker and keeps recent ones. Lives on the GUI thread.
// Only the answer to the newest request is published: each carries the number of its job, and late
// answers of others are dropped.
class PictureSet final : public QObject
{
    Q_OBJECT

public:
    // Called on a worker thread; replaced in tests.
    using Loader =
        std::function<LoadedPictures(const PictureRequest&, const LoadedPictures* known)>;

    explicit PictureSet(QObject* parent = nullptr, Loader loader = loadPictures);
    ~PictureSet() override;

    // Loads, or takes from the cache; then loaded() is emitted before this returns.
    void request(const PictureRequest& request);
    // Forgets everything, also what is under way.
    void clear();

    // What was published last; null before that and after clear(). Never null in loaded().
    [[nodiscard]] std::shared_ptr<const LoadedPictures> current() const { return m_current; }
    [[nodiscard]] bool isLoading() const { return m_loading; }
    [[nodiscard]] std::size_t cachedRequests() const { return m_cache.size(); }

Q_SIGNALS:
    void loadingChanged();
    void loaded();

private:
    using Loaded = std::shared_ptr<const LoadedPictures>;

    void receive(quint64 job, quint64 generation, const Loaded& loaded);
    void publish(const Loaded& loaded);
    void keep(const Loaded& loaded);
    void setLoading(bool loading);

    Loader m_loader;
    QThreadPool m_pool;
    // Read by workers: a job that is superseded before it begins is skipped.
    std::shared_ptr<std::atomic<quint64>> m_newestJob;
    quint64 m_generation = 0;   // of the run; answers about an earlier run are not kept either
    std::list<Loaded> m_cache;  // most recently used first
    Loaded m_current;
    bool m_loading = false;
};

}  // namespace qs::widgets
