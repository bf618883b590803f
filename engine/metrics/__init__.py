"""What the factory achieved, by the field's definitions."""
