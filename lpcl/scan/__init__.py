"""From a running program to an application file: what is seen, whose contracts speak of it, and what
explains it.

One way, each step a function from one frozen value to the next: `observation` (filled by `sampling`, which
`watching` drives) -> `recognition` (which contracts speak about what was seen) -> `grouping` (like
processes put together) -> `explanation` (the operations whose predicted threads are those that were seen)
-> `document` (the application file). This package starts the user's command, and nothing else; it runs
nothing of a contract.
"""
