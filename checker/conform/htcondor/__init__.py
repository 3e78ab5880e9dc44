"""HTCondor as a backend: started from a queue, spoken to by its own commands, judged by what its daemons record."""
