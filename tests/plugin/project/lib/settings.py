WHERE = "lib"
