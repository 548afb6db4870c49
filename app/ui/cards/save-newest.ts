type SaveError = string | null;

export interface Outcome {
  error: SaveError;
  stored: boolean;
}

interface Queue {
  wanted: boolean;
  outcome: Promise<Outcome>;
}

const queues = new Map<string, Queue>();

/** Two requests could arrive in either order, so presses of one `key` wait for each other, and only the newest is sent. */
export function saveNewest(
  key: string,
  wanted: boolean,
  send: (value: boolean) => Promise<SaveError>,
): Promise<Outcome> {
  const running = queues.get(key);
  if (running) {
    running.wanted = wanted;
    return running.outcome;
  }
  const queue: Queue = { wanted, outcome: Promise.resolve({ error: null, stored: wanted }) };
  const run = async (): Promise<Outcome> => {
    let stored = !wanted;
    for (;;) {
      const value = queue.wanted;
      const error = await send(value);
      if (error === null) stored = value;
      if (queue.wanted !== value) continue;
      queues.delete(key);
      return { error, stored };
    }
  };
  queues.set(key, queue);
  queue.outcome = run();
  return queue.outcome;
}
