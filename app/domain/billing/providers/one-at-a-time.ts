// Needed because a button that is pressed several times would wait for its own row until it times out: decision 083.
interface Turn {
  what: string;
  work: Promise<unknown>;
}

const lines = new Map<string, Turn>();

/** Runs work for one id in turn, else it waits for a row and times out. Calls with one `what` share an answer. */
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
