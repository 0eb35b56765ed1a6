"""Whether one version of a contract may replace another: broken promises, with what shows each of them."""
