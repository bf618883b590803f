"""How far each rule of the game is from measured reality, computed: the contents of `docs/fidelity.md`."""
