interface Turn {
  what: string;
  work: Promise<unknown>;
}

/** The last in line, by whom it is about. */
const lines = new Map<string, Turn>();

/**
 * Does one thing after the other for one subscription, in this process: at once, each would hold a connection and wait
 * for the same row until a statement's time is over. Who wants what the last in line does already shares its answer, so
 * that a button may be pressed as often as anybody likes. Of one `what` all work must be the same.
 */
export function oneAtATime<Answer>(id: string, what: string, work: () => Promise<Answer>): Promise<Answer> {
  const last = lines.get(id);
  if (last?.what === what) return last.work as Promise<Answer>;
  const before = last?.work ?? Promise.resolve();
  const turn = { what, work: before.then(work, work) };
  lines.set(id, turn);
  const leave = () => {
    if (lines.get(id) === turn) lines.delete(id);
  };
  turn.work.then(leave, leave);
  return turn.work;
}
