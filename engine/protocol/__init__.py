"""What crosses to the view: commands in, questions and snapshots out (docs/protocol.md)."""
