#include "cli/program.h"

int main(int argc, char** argv) { return glassrank::cli::run_program(argc, argv); }
