"""Who holds which bytes of a GPU's memory."""
