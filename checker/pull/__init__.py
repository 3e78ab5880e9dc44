"""The one command that touches the network: read a live queue into a folder. Reads only.

`access` is the only way to AWS and knows every operation that is used; `folder` is what lies where; `keep` is what of a
job is kept; `pull` puts them together. `setup` asks AWS nothing: it writes what keeps history from now on.
"""
