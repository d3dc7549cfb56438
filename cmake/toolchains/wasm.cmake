# WebAssembly with its SIMD, by Debian's emscripten; Node.js for the tests, which read the files
# of this machine. Node.js of another origin than Debian's looks for Debian's modules with NODE_PATH=/usr/share/nodejs.
set(CMAKE_C_FLAGS_INIT -msimd128)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1 -sTOTAL_STACK=1MB -sWASM_ASYNC_COMPILATION=0")
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
