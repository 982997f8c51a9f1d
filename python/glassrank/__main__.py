from glassrank._program import main

main()
