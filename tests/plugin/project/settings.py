WHERE = "res"
