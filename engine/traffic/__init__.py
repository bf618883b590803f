"""Who asks for what, when."""
