"""The one command that touches the network: read a live queue into a folder. Reads only."""
