"""What a queue did, measured.

`timeline` puts observations in the order of the times that count, `follow` keeps what they imply of jobs and shares, and
tells it to three books: `hours` (machine-hours), `jobs` (waits, stops, lost work, recovery) and `stability`. `numbers`
compiles the specification's quantities. `rules` tells what was judged, `audit` everything as one stream.
"""
