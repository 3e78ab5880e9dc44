/* Three shares of one machine each and jobs of one machine, three machines in all, written by hand from the guarantees.

   a and b lend, c lends and borrows without maximum; one job of a, two of b, three of c. Claims are numbered by their
   place in `line`. Only a share above its limit loses jobs, so only jobs of c ever drain: `drains[p]` of them for the
   claim at place p (its victims, and those of claims before it that have ended), `drains[NOBODY]` for no live claim.
   Nothing is kept from others, so what is protected (P) is what is in use.

   FORGETFUL: a dispatch does not look at claims (G7 forgotten). EAGER: a borrower does not look at heads (G8 forgotten). */

#define N 3
#define E 3
#define C 2
#define NOBODY 3

byte waits[N], runs[N];
byte drains[N + 1];
byte line[N] = NOBODY;
hidden byte at, p;

#define MOST(i) (i + 1)
#define EXIST(i) (waits[i] + runs[i] + (i == C -> DRAINING : 0))
#define DRAINING (drains[0] + drains[1] + drains[2] + drains[NOBODY])
#define USAGE(i) (runs[i] + (i == C -> DRAINING : 0))
#define IN_USE (USAGE(0) + USAGE(1) + USAGE(2))

/* claims: their place, and what will be in use when those up to a place are served and their drains have ended */
#define PLACE(i) (line[0] == i -> 0 : (line[1] == i -> 1 : (line[2] == i -> 2 : NOBODY)))
#define CLAIMS(i) (PLACE(i) != NOBODY)
#define DUE(q) (drains[0] + (q >= 1 -> drains[1] : 0) + (q >= 2 -> drains[2] : 0))
#define PROMISED(q) (IN_USE - DUE(q) + q + 1)
#define FUNDED(q) (line[q] == NOBODY || PROMISED(q) <= E)

/* settled: every drain has ended and every claim is served */
#define SETTLED(i) (runs[i] + CLAIMS(i))
#define SETTLED_ALL (SETTLED(0) + SETTLED(1) + SETTLED(2))
#define BORROWED(i) (SETTLED(i) > 1 -> SETTLED(i) - 1 : 0)
#define BORROWED_BY_OTHERS(i) (BORROWED(0) + BORROWED(1) + BORROWED(2) - BORROWED(i))
#define LACKS (SETTLED_ALL + 1 > E -> SETTLED_ALL + 1 - E : 0)
#define ENTITLED(i) (waits[i] > 0 && runs[i] == 0)

/* G7: who has no claim up to a place leaves it what it was promised */
#ifdef FORGETFUL
#define LEAVES(i) true
#else
#define LEAVES_CLAIM(i, q) (line[q] == NOBODY || PLACE(i) <= q || PROMISED(q) + 1 <= E)
#define LEAVES(i) (LEAVES_CLAIM(i, 0) && LEAVES_CLAIM(i, 1) && LEAVES_CLAIM(i, 2))
#endif

/* G8: a borrower leaves an entitled head without a claim what it needs, if the other shares borrow that much */
#ifdef EAGER
#define YIELDS(i) true
#else
#define NEEDY(h) (ENTITLED(h) && !CLAIMS(h) && LACKS <= BORROWED_BY_OTHERS(h))
#define YIELDS_TO(i, h) (h == i || !NEEDY(h) || SETTLED_ALL + 2 <= E)
#define YIELDS(i) (USAGE(i) == 0 || (YIELDS_TO(i, 0) && YIELDS_TO(i, 1) && YIELDS_TO(i, 2)))
#endif

#define FITS(i) ((i == C || USAGE(i) == 0) && IN_USE + 1 <= E)
#define MAY_START(i) (waits[i] > 0 && FITS(i) && LEAVES(i) && YIELDS(i))
#define MAY_CLAIM(i) (ENTITLED(i) && !CLAIMS(i) && !MAY_START(i))

inline open(i) {
	at = 0;
	do
	:: line[at] != NOBODY -> at++
	:: else -> break
	od;
	line[at] = i;
	drains[at] = drains[NOBODY];
	drains[NOBODY] = 0
}

/* the claim of i, if it has one, is gone: its victims drain for the next one in line, or for nobody */
inline close(i) {
	at = PLACE(i);
	if
	:: at == NOBODY -> skip
	:: else ->
		p = drains[at];
		do
		:: at + 1 < N && line[at + 1] != NOBODY ->
			line[at] = line[at + 1];
			drains[at] = p + drains[at + 1];
			p = 0;
			at++
		:: else -> break
		od;
		line[at] = NOBODY;
		drains[at] = 0;
		drains[NOBODY] = drains[NOBODY] + p
	fi
}

#define ME _pid

active [N] proctype users() {
	do
	:: d_step { EXIST(ME) < MOST(ME) -> waits[ME]++ }
	:: d_step { runs[ME] > 0 -> runs[ME]-- }
#ifdef FAIR
	:: d_step { true -> at = 0 } /* users need not do anything */
#endif
	od
}

#undef ME
#define ME (_pid - N)

active [N] proctype scheduler() {
	do
	:: d_step { MAY_START(ME) -> waits[ME]--; runs[ME]++; close(ME) }
	:: d_step { MAY_CLAIM(ME) && LACKS == 0 -> open(ME) }
	:: d_step { MAY_CLAIM(ME) && LACKS == 1 && ME != C && SETTLED(C) > 1 -> open(ME); runs[C]--; drains[at]++ }
	od
}

#undef ME
#define ME (_pid - 2 * N)

active [N + 1] proctype drain() {
	do
	:: d_step { drains[ME] > 0 -> drains[ME]--; waits[C]++ }
	od
}

#ifdef FAIR
ltl reclaim { [] (ENTITLED(0) -> <> (runs[0] > 0)) }
#endif
