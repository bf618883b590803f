"""What a run came to: stars, its place among the attempts before, and what the factory would be in production."""
