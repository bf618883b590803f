"""Where capacity comes from and what it costs: own machines, rented ones, an API by the token."""
