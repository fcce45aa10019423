// Compiled only for its precompiled headers, which every test uses (cmake/Snarl.cmake).
