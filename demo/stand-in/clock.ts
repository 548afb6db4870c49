export const DAY_SECONDS = 24 * 3_600;

export interface Due {
  /** Seconds since 1970. */
  at: number;
  run: () => void;
}

interface Clock {
  moveClockTo(at: number): void;
}

/** Runs everything due until then in order, each at its own time. */
export function runDue(clock: Clock, until: number, listDue: () => Due[]): void {
  for (let due = firstOf(listDue()); due && due.at <= until; due = firstOf(listDue())) {
    clock.moveClockTo(due.at);
    due.run();
  }
  clock.moveClockTo(until);
}

function firstOf(all: Due[]): Due | null {
  return all.reduce<Due | null>((first, due) => (first === null || due.at < first.at ? due : first), null);
}
