"""AWS's own records of a queue that ran, in the containers in which people have them, joined to one history."""
