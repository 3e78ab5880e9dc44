"""Before a rollout: promises judged on a configuration, changes compared, what lending would buy, and games.

`promises` says of each promise whether it is proved, refuted, measured, checked at change or recorded; `plan` compares
two configurations and finds an order of edits; `simulate` runs a workload under several policies; `games` looks for ways
in which one share takes from another.
"""
