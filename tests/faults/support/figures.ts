import { expect } from "vitest";

/** One measured number and what it has to be. */
export type Figure = { is: number } & ({ exactly: number } | { atMost: number } | { atLeast: number });

/** Fails with all figures that were missed. */
export function expectFigures(figures: Record<string, Figure>): void {
  const missed = Object.entries(figures).filter(([, figure]) => !isMet(figure));
  expect(Object.fromEntries(missed)).toEqual({});
}

function isMet(figure: Figure): boolean {
  if ("exactly" in figure) return figure.is === figure.exactly;
  return "atMost" in figure ? figure.is <= figure.atMost : figure.is >= figure.atLeast;
}
