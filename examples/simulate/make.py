"""Writes workload.csv: two days of three teams on one kind of machine, from a fixed seed.

    python make.py > workload.csv

`train` asks all the time for a little more than its limit, in large jobs; `speech` comes in two bursts a day and sleeps in
between; `prod` retrains every six hours, with a deadline. One job in three writes checkpoints.
"""

import csv
import random
import sys

DAY, HOUR = 86_400, 3_600
COLUMNS = ("job", "share", "submit", "runs", "ml.p5.48xlarge", "priority", "retries", "deadline", "checkpoint_every",
           "save_cost", "restart_cost")  # fmt: skip


def jobs(rng: random.Random):
    """Rows without names: share, submit, runs, machines, priority, retries, deadline."""
    at = 0.0
    while (at := at + rng.expovariate(1 / 1_700)) < 2 * DAY:
        yield "train", at, rng.lognormvariate(8.6, 0.7), rng.choice((1, 2, 2, 4)), rng.choice((0, 0, 1, 5)), "", ""
    for burst in (9 * HOUR, 20 * HOUR, DAY + 9 * HOUR, DAY + 20 * HOUR):
        for _ in range(45):
            yield (
                "speech",
                burst + rng.expovariate(1 / 2_400),
                rng.lognormvariate(7.6, 0.6),
                rng.choice((1, 1, 2)),
                1,
                "",
                "",
            )
    for round_of in range(2 * HOUR, 2 * DAY, 6 * HOUR):
        for _ in range(3):
            at = round_of + rng.uniform(0, 300)
            yield "prod", at, rng.uniform(2_400, 4_200), 1, 9, 3, at + 3 * HOUR


def main() -> None:
    rng = random.Random(2_026)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(COLUMNS)
    for number, (share, at, runs, size, priority, retries, deadline) in enumerate(
        sorted(jobs(rng), key=lambda j: j[1])
    ):
        saves = (1_800, 40, 90) if rng.random() < 1 / 3 else ("", "", "")
        deadline = round(deadline) if deadline else ""
        out.writerow((f"{share}-{number}", share, round(at), round(runs), size, priority, retries, deadline, *saves))


if __name__ == "__main__":
    main()
