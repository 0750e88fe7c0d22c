// What every baseline program shares: clocks, peak memory, and the one line of JSON it prints.
//
// A program does its job `repeats` times (first argument, default 1) and says how long each
// repetition took, in CPU seconds of the process and in wall-clock seconds. It checks its own
// answer and ends with exit code 1 if that is wrong.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <sys/resource.h>

[[noreturn]] inline void fail(const std::string& message) {
    std::fprintf(stderr, "error: %s\n", message.c_str());
    std::exit(1);
}

inline int repeats_from(int argc, char** argv) {
    int repeats = argc > 1 ? std::atoi(argv[1]) : 1;
    if (repeats < 1) fail("repeats must be 1 or more");
    return repeats;
}

// Times one stretch of work after another.
class Stopwatch {
public:
    void start() {
        wall_start_ = wall_now();
        cpu_start_ = cpu_now();
    }

    void stop() {
        cpu_.push_back(cpu_now() - cpu_start_);
        wall_.push_back(wall_now() - wall_start_);
    }

    const std::vector<double>& cpu() const { return cpu_; }
    const std::vector<double>& wall() const { return wall_; }

private:
    static double cpu_now() {
        timespec t;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
    }

    static double wall_now() {
        auto t = std::chrono::steady_clock::now().time_since_epoch();
        return std::chrono::duration<double>(t).count();
    }

    double cpu_start_ = 0, wall_start_ = 0;
    std::vector<double> cpu_, wall_;
};

// The most memory this process ever held, in bytes. Linux says it exactly in /proc; getrusage
// may also count what the parent process held before this program was started.
inline long peak_bytes() {
    if (FILE* status = std::fopen("/proc/self/status", "r")) {
        char line[256];
        long kib = -1;
        while (kib < 0 && std::fgets(line, sizeof line, status)) {
            std::sscanf(line, "VmHWM: %ld kB", &kib);
        }
        std::fclose(status);
        if (kib >= 0) return kib * 1024;
    }
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return usage.ru_maxrss;
#else
    return usage.ru_maxrss * 1024;
#endif
}

// Zeroed memory, in huge pages if the system gives them: large tables are read at random, and
// with small pages every read also misses the translation cache.
template <class T>
class ZeroedArray {
public:
    explicit ZeroedArray(std::size_t size) : size_(size) {
        void* memory = mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) fail("out of memory");
#ifdef MADV_HUGEPAGE
        madvise(memory, size * sizeof(T), MADV_HUGEPAGE);
#endif
        data_ = static_cast<T*>(memory);
    }
    ~ZeroedArray() { munmap(data_, size_ * sizeof(T)); }
    ZeroedArray(const ZeroedArray&) = delete;
    ZeroedArray& operator=(const ZeroedArray&) = delete;

    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T* begin() { return data_; }
    std::size_t size() const { return size_; }
    void swap(ZeroedArray& other) {
        std::swap(size_, other.size_);
        std::swap(data_, other.data_);
    }

private:
    std::size_t size_;
    T* data_;
};

// The line a program prints: timings and memory first, then what the program adds.
class Report {
public:
    explicit Report(const Stopwatch& watch) {
        add_list("cpu_seconds", "%.9f", watch.cpu());
        add_list("wall_seconds", "%.9f", watch.wall());
        add("peak_bytes", std::uint64_t(peak_bytes()));
    }

    void add(const char* name, std::uint64_t value) { field(name, std::to_string(value)); }

    void add(const char* name, const std::vector<std::uint64_t>& values) {
        std::string list;
        for (std::uint64_t value : values) {
            list += (list.empty() ? "" : ", ") + std::to_string(value);
        }
        field(name, "[" + list + "]");
    }

    void print() const { std::printf("{%s}\n", text_.c_str()); }

private:
    void field(const char* name, const std::string& value) {
        text_ += (text_.empty() ? "\"" : ", \"") + std::string(name) + "\": " + value;
    }

    void add_list(const char* name, const char* format, const std::vector<double>& values) {
        std::string list;
        for (double value : values) {
            char number[64];
            std::snprintf(number, sizeof number, format, value);
            list += (list.empty() ? "" : ", ") + std::string(number);
        }
        field(name, "[" + list + "]");
    }

    std::string text_;
};
