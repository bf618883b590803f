"""What is kept of a player on this computer: attempts, stars, answers."""
