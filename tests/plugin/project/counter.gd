extends Reference

var value := 42
