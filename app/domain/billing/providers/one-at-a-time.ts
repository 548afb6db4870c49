// Needed because several presses of one button would each call the provider, and wait for one another until they time out: decision 083.
interface Turn {
  what: string;
  work: Promise<unknown>;
}

const queues = new Map<string, Turn>();

/** Queues work by `id`. A call with the same `what` as the last one in the queue shares its answer. */
export function oneAtATime<Answer>(id: string, what: string, work: () => Promise<Answer>): Promise<Answer> {
  const last = queues.get(id);
  if (last?.what === what) return last.work as Promise<Answer>;
  const before = last?.work ?? Promise.resolve();
  const turn = { what, work: before.then(work, work) };
  queues.set(id, turn);
  const leave = () => {
    if (queues.get(id) === turn) queues.delete(id);
  };
  turn.work.then(leave, leave);
  return turn.work;
}
