"""What `lpclc check` found before, for as long as all that it depends on is the same.

`world` asks about files and distributions and remembers what was asked; `observe` answers; `store` keeps
texts in the user's cache folder; `outcomes` tells what is known, `recording` keeps what was found. The
modules that tell a known outcome import nothing that a command needs to work.
"""
