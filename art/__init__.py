"""Sources of the game's pictures: models, lights and the scripts that render them. Not shipped with the game."""
