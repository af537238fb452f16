#include "core/kernels/generated_kernel.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <utility>

namespace qs::core {

namespace {

// The calls of the driver and of NVRTC that are needed, as their manuals have them.
struct Driver {
    int (*loadModule)(void** library, const void* image) = nullptr;
    int (*unloadModule)(void* library) = nullptr;
    int (*getFunction)(void** function, void* library, const char* name) = nullptr;
    int (*launch)(void* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                  unsigned blockY, unsigned blockZ, unsigned sharedBytes, void* stream,
                  void** parameters, void** extra) = nullptr;
};

struct Compiler {
    int (*create)(void** program, const char* text, const char* name, int headers,
                  const char* const* contents, const char* const* names) = nullptr;
    int (*destroy)(void** program) = nullptr;
    int (*compile)(void* program, int count, const char* const* options) = nullptr;
    int (*logSize)(void* program, std::size_t* size) = nullptr;
    int (*log)(void* program, char* text) = nullptr;
    int (*imageSize)(void* program, std::size_t* size) = nullptr;
    int (*image)(void* program, char* bytes) = nullptr;
};

Error missing(const char* what)
{
    return Error{ErrorCode::Unsupported, fmt::format("{} is not there", what)};
}

template <class Function>
bool find(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

// Libraries stay open until the process ends: what they made outlives every owner here.
Result<Driver> openDriver()
{
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    Driver driver;
    if (library == nullptr || !find(library, "cuModuleLoadData", driver.loadModule) ||
        !find(library, "cuModuleUnload", driver.unloadModule) ||
        !find(library, "cuModuleGetFunction", driver.getFunction) ||
        !find(library, "cuLaunchKernel", driver.launch))
        return missing("the CUDA driver");
    return driver;
}

Result<Compiler> openCompiler()
{
    void* library = ::dlopen("libnvrtc.so.13", RTLD_NOW | RTLD_LOCAL);
    Compiler compiler;
    if (library == nullptr || !find(library, "nvrtcCreateProgram", compiler.create) ||
        !find(library, "nvrtcDestroyProgram", compiler.destroy) ||
        !find(library, "nvrtcCompileProgram", compiler.compile) ||
        !find(library, "nvrtcGetProgramLogSize", compiler.logSize) ||
        !find(library, "nvrtcGetProgramLog", compiler.log) ||
        !find(library, "nvrtcGetCUBINSize", compiler.imageSize) ||
        !find(library, "nvrtcGetCUBIN", compiler.image))
        return missing("NVRTC, the run-time compiler of CUDA 13 (libnvrtc.so.13),");
    return compiler;
}

const Result<Driver>& driver()
{
    static const Result<Driver> opened = openDriver();
    return opened;
}

const Result<Compiler>& compiler()
{
    static const Result<Compiler> opened = openCompiler();
    return opened;
}

Status checked(int code, const char* what)
{
    if (code == 0)
        return {};
    return Error{ErrorCode::Device, fmt::format("{} failed with error {}", what, code)};
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
    [[nodiscard]] Result<std::string> image(int major, int minor) const
    {
        const std::string target = fmt::format("--gpu-architecture=sm_{}{}", major, minor);
        const std::array options{target.c_str(), "--fmad=false", "--std=c++17"};
        std::size_t size = 0;
        if (m_nvrtc.compile(m_program, static_cast<int>(options.size()), options.data()) != 0) {
            m_nvrtc.logSize(m_program, &size);
            std::string log(size, '\0');
            m_nvrtc.log(m_program, log.data());
            return Error{ErrorCode::Unsupported, "a generated kernel does not compile: " + log};
        }
        QS_RETURN_IF_ERROR(checked(m_nvrtc.imageSize(m_program, &size), "nvrtcGetCUBINSize"));
        std::string image(size, '\0');
        QS_RETURN_IF_ERROR(checked(m_nvrtc.image(m_program, image.data()), "nvrtcGetCUBIN"));
        return image;
    }

private:
    const Compiler& m_nvrtc;
    void* m_program = nullptr;
};

}  // namespace

Result<std::string> compileKernel(const std::string& text, int computeMajor, int computeMinor)
{
    if (!compiler().ok())
        return compiler().error();
    return Program(compiler().value(), text).image(computeMajor, computeMinor);
}

Result<GeneratedKernel> GeneratedKernel::build(const std::string& text, const std::string& name,
                                               int computeMajor, int computeMinor)
{
    QS_TRY(const std::string image, compileKernel(text, computeMajor, computeMinor));
    if (!driver().ok())
        return driver().error();
    const Driver& cuda = driver().value();
    void* library = nullptr;
    QS_RETURN_IF_ERROR(checked(cuda.loadModule(&library, image.data()), "cuModuleLoadData"));
    GeneratedKernel kernel(library, nullptr);
    QS_RETURN_IF_ERROR(checked(cuda.getFunction(&kernel.m_function, library, name.c_str()),
                               "cuModuleGetFunction"));
    return kernel;
}

GeneratedKernel::~GeneratedKernel()
{
    if (m_module != nullptr)
        driver().value().unloadModule(m_module);
}

GeneratedKernel::GeneratedKernel(GeneratedKernel&& other) noexcept
    : m_module(std::exchange(other.m_module, nullptr)),
      m_function(std::exchange(other.m_function, nullptr))
{
}

GeneratedKernel& GeneratedKernel::operator=(GeneratedKernel&& other) noexcept
{
    std::swap(m_module, other.m_module);
    std::swap(m_function, other.m_function);
    return *this;
}

Status GeneratedKernel::launch(const std::vector<void*>& pointers, const LaunchGrid& grid,
                               void* stream) const
{
    std::vector<void*> values = pointers;
    std::vector<void*> parameters;
    for (void*& value : values)
        parameters.push_back(&value);
    return checked(driver().value().launch(m_function, static_cast<unsigned>(grid.blocks), 1, 1,
                                           static_cast<unsigned>(grid.threads), 1, 1, 0, stream,
                                           parameters.data(), nullptr),
                   "launching a generated kernel");
}

}  // namespace qs::core
