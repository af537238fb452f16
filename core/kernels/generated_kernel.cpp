#include "core/kernels/generated_kernel.h"

#include "core/kernels/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <utility>

namespace qs::core {

namespace {

constexpr const char* kCompiler = "libnvrtc.so.13";

// The calls of NVRTC that are needed, as its manual has them.
struct Compiler {
    int (*version)(int* major, int* minor) = nullptr;
    int (*create)(void** program, const char* text, const char* name, int headers,
                  const char* const* contents, const char* const* names) = nullptr;
    int (*destroy)(void** program) = nullptr;
    int (*compile)(void* program, int count, const char* const* options) = nullptr;
    int (*logSize)(void* program, std::size_t* size) = nullptr;
    int (*log)(void* program, char* text) = nullptr;
    int (*imageSize)(void* program, std::size_t* size) = nullptr;
    int (*image)(void* program, char* bytes) = nullptr;
};

// It stays open until the process ends.
Result<Compiler> openCompiler()
{
    void* library = ::dlopen(kCompiler, RTLD_NOW | RTLD_LOCAL);
    Compiler compiler;
    if (library == nullptr || !findSymbol(library, "nvrtcVersion", compiler.version) ||
        !findSymbol(library, "nvrtcCreateProgram", compiler.create) ||
        !findSymbol(library, "nvrtcDestroyProgram", compiler.destroy) ||
        !findSymbol(library, "nvrtcCompileProgram", compiler.compile) ||
        !findSymbol(library, "nvrtcGetProgramLogSize", compiler.logSize) ||
        !findSymbol(library, "nvrtcGetProgramLog", compiler.log) ||
        !findSymbol(library, "nvrtcGetCUBINSize", compiler.imageSize) ||
        !findSymbol(library, "nvrtcGetCUBIN", compiler.image))
        return notThere("NVRTC, the run-time compiler of CUDA 13 (libnvrtc.so.13),");
    return compiler;
}

const Result<Compiler>& compiler()
{
    static const Result<Compiler> opened = openCompiler();
    return opened;
}

// With what Hopper alone has.
std::string targetOf(int major, int minor)
{
    constexpr int kHopper = 9;
    return fmt::format("--gpu-architecture=sm_{}{}{}", major, minor, major == kHopper ? "a" : "");
}

class Program final
{
public:
    Program(const Compiler& nvrtc, const std::string& text) : m_nvrtc(nvrtc)
    {
        m_nvrtc.create(&m_program, text.c_str(), "group.cu", 0, nullptr, nullptr);
    }
    ~Program() { m_nvrtc.destroy(&m_program); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    // The code for the device. No product and sum become one: each is rounded as PyTorch rounds it.
    [[nodiscard]] Result<std::string> image(const std::string& target) const
    {
        const std::array options{target.c_str(), "--fmad=false", "--std=c++17"};
        std::size_t size = 0;
        if (m_nvrtc.compile(m_program, static_cast<int>(options.size()), options.data()) != 0) {
            m_nvrtc.logSize(m_program, &size);
            std::string log(size, '\0');
            m_nvrtc.log(m_program, log.data());
            return Error{ErrorCode::Unsupported, "a generated kernel does not compile: " + log};
        }
        QS_RETURN_IF_ERROR(cudaChecked(m_nvrtc.imageSize(m_program, &size), "nvrtcGetCUBINSize"));
        std::string image(size, '\0');
        QS_RETURN_IF_ERROR(cudaChecked(m_nvrtc.image(m_program, image.data()), "nvrtcGetCUBIN"));
        return image;
    }

private:
    const Compiler& m_nvrtc;
    void* m_program = nullptr;
};

// Kept are the seconds, a line, and the image.
KernelCode keptCode(const std::string& kept)
{
    return {kept.substr(kept.find('\n') + 1), std::strtod(kept.c_str(), nullptr), true};
}

}  // namespace

std::string kernelCompilerLacks()
{
    return compiler().ok() ? std::string() : kCompiler;
}

Result<KernelCode> compileKernel(const std::string& text, int computeMajor, int computeMinor,
                                 const KernelCache& cache)
{
    if (!compiler().ok())
        return compiler().error();
    int major = 0;
    int minor = 0;
    QS_RETURN_IF_ERROR(cudaChecked(compiler().value().version(&major, &minor), "nvrtcVersion"));
    const std::string target = targetOf(computeMajor, computeMinor);
    const std::string key = fmt::format("NVRTC {}.{} {}\n{}", major, minor, target, text);
    if (const auto known = cache.find(key))
        return keptCode(*known);
    const auto begin = std::chrono::steady_clock::now();
    QS_TRY(std::string image, Program(compiler().value(), text).image(target));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    cache.add(key, fmt::format("{}\n", seconds.count()) + image);
    return KernelCode{std::move(image), seconds.count(), false};
}

Result<GeneratedKernel> GeneratedKernel::build(const std::string& text, const std::string& name,
                                               int computeMajor, int computeMinor,
                                               const KernelCache& cache)
{
    QS_TRY(const KernelCode code, compileKernel(text, computeMajor, computeMinor, cache));
    if (!cudaDriver().ok())
        return cudaDriver().error();
    const CudaDriver& cuda = cudaDriver().value();
    void* library = nullptr;
    QS_RETURN_IF_ERROR(
        cudaChecked(cuda.loadModule(&library, code.image.data()), "cuModuleLoadData"));
    GeneratedKernel kernel(library, nullptr);
    QS_RETURN_IF_ERROR(cudaChecked(cuda.getFunction(&kernel.m_function, library, name.c_str()),
                                   "cuModuleGetFunction"));
    kernel.m_name = name;
    kernel.m_compileSeconds = code.seconds;
    kernel.m_wasKept = code.kept;
    return kernel;
}

GeneratedKernel::~GeneratedKernel()
{
    if (m_module != nullptr)
        cudaDriver().value().unloadModule(m_module);
}

GeneratedKernel::GeneratedKernel(GeneratedKernel&& other) noexcept
    : m_module(std::exchange(other.m_module, nullptr)),
      m_function(std::exchange(other.m_function, nullptr)),
      m_name(std::move(other.m_name)),
      m_compileSeconds(other.m_compileSeconds),
      m_wasKept(other.m_wasKept)
{
}

GeneratedKernel& GeneratedKernel::operator=(GeneratedKernel&& other) noexcept
{
    std::swap(m_module, other.m_module);
    std::swap(m_function, other.m_function);
    std::swap(m_name, other.m_name);
    std::swap(m_compileSeconds, other.m_compileSeconds);
    std::swap(m_wasKept, other.m_wasKept);
    return *this;
}

Status GeneratedKernel::allowShared(int bytes) const
{
    constexpr int kMostDynamicShared = 8;  // of the driver's enumeration of attributes
    return cudaChecked(cudaDriver().value().setAttribute(m_function, kMostDynamicShared, bytes),
                       "cuFuncSetAttribute");
}

Status GeneratedKernel::launch(const std::vector<void*>& parameters, const LaunchGrid& grid,
                               void* stream) const
{
    std::vector<void*> places = parameters;
    const LaunchAttribute early;
    KernelLaunch launch;
    launch.blocks[0] = static_cast<unsigned>(grid.blocks);
    launch.threads[0] = static_cast<unsigned>(grid.threads);
    launch.sharedBytes = static_cast<unsigned>(grid.sharedBytes);
    launch.stream = stream;
    launch.attributes = &early;
    launch.attributeCount = grid.startsEarly ? 1 : 0;
    return cudaChecked(cudaDriver().value().launch(&launch, m_function, places.data(), nullptr),
                       "launching a generated kernel");
}

}  // namespace qs::core
