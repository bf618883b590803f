"""What the player can read: a page per concept and machine kind, with the live numbers of the factory on the screen."""
