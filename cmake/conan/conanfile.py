"""Conan 2's package: `conan create cmake/conan`, then requires = "quatsimd/VERSION"."""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, cmake_layout
from conan.tools.files import collect_libs, copy, load


class Quatsimd(ConanFile):
    name, license = "quatsimd", "MIT"
    package_type, languages = "library", "C"
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain"
    options, default_options = {"shared": [True, False]}, {"shared": False}

    def set_version(self):
        self.version = re.search(r'STRING "(.*)"', load(self, os.path.join(self.recipe_folder, "../../include/quatsimd/version.h")))[1]

    def export_sources(self):
        for files in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "third_party/*"):
            copy(self, files, os.path.join(self.recipe_folder, "../.."), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def build(self):
        parts = {f"QUATSIMD_{part}": "OFF" for part in ("TOOL", "TESTS", "EXAMPLES", "INSTALL")}
        cmake = CMake(self)
        cmake.configure(parts | {"CMAKE_DISABLE_FIND_PACKAGE_CpuFeatures": "ON"})
        cmake.build(target="quatsimd_shared" if self.options.shared else "quatsimd_static")

    def package(self):
        copy(self, "*LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.h", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
        for files, to in (("*.a", "lib"), ("*.lib", "lib"), ("*.so*", "lib"), ("*.dylib", "lib"), ("*.dll", "bin")):
            copy(self, files, self.build_folder, os.path.join(self.package_folder, to), keep_path=False)

    def package_info(self):
        self.cpp_info.libs, self.cpp_info.defines = collect_libs(self), ["QUATSIMD_SHARED"] if self.options.shared else []
