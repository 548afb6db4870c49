import { appendFileSync } from "node:fs";
import { expect } from "vitest";

/** One measured number and what it has to be. */
export type Figure = { is: number } & ({ exactly: number } | { atMost: number } | { atLeast: number });

/** True under `npm run test:faults`, where a scenario runs for its whole length; false in its short form. */
export const isFullLength = process.env.FAULTS_REPORT !== undefined;

const startedAt = performance.now();

/** Writes the scenario's line for `npm run test:faults`, and fails with all figures that were missed. */
export function reportFigures(id: `X${number}`, figures: Record<string, Figure>): void {
  const missed = Object.entries(figures).filter(([, figure]) => !isMet(figure));
  if (process.env.FAULTS_REPORT) {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const line = JSON.stringify({ id, pass: missed.length === 0, seconds, figures });
    appendFileSync(process.env.FAULTS_REPORT, `${line}\n`);
  }
  expect(Object.fromEntries(missed)).toEqual({});
}

function isMet(figure: Figure): boolean {
  if ("exactly" in figure) return figure.is === figure.exactly;
  return "atMost" in figure ? figure.is <= figure.atMost : figure.is >= figure.atLeast;
}
