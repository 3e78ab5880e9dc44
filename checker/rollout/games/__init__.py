"""Whether a share can take from another by splitting jobs, inflating priority or padding demand."""
