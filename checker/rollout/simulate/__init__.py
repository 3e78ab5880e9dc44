"""A workload under several policies, and what each of them gave to whom."""
