type Problem = string | null;

export interface Outcome {
  problem: Problem;
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
  send: (value: boolean) => Promise<Problem>,
): Promise<Outcome> {
  const running = queues.get(key);
  if (running) {
    running.wanted = wanted;
    return running.outcome;
  }
  const queue: Queue = { wanted, outcome: Promise.resolve({ problem: null, stored: wanted }) };
  const run = async (): Promise<Outcome> => {
    let stored = !wanted;
    for (;;) {
      const value = queue.wanted;
      const problem = await send(value);
      if (problem === null) stored = value;
      if (queue.wanted !== value) continue;
      queues.delete(key);
      return { problem, stored };
    }
  };
  queues.set(key, queue);
  queue.outcome = run();
  return queue.outcome;
}
