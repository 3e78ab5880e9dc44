"""What is true: AWS's terms, open questions, rules. No solver calls, no scheduler, no terminal."""
