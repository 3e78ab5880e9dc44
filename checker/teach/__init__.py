"""Teaching: a queue that is played step by step, its pictures, and lessons made of such plays."""
