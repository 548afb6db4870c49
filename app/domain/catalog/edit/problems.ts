/** What an item lacks, in the order in which it is said. None of them but the last keeps it from being published. */
export const PROBLEMS = [
  "noCredit",
  "noCover",
  "noProductionDate",
  "missingCaptions",
  "publishFailed",
] as const;
export type Problem = (typeof PROBLEMS)[number];

export const PROBLEM_SENTENCES: Record<Problem, string> = {
  noCredit: "No creator is credited.",
  noCover: "It has no cover.",
  noProductionDate: "The date of production is missing.",
  missingCaptions: "The video has sound but no captions.",
  publishFailed: "It could not be published at its time.",
};

export interface ProblemFacts {
  creditCount: number;
  hasCover: boolean;
  /** ISO 8601 date. */
  producedOn: string | null;
  /** False for photo sets. */
  hasAudio: boolean;
  captionCount: number;
  /** The sentence that says why; null when nothing failed. */
  publishProblem: string | null;
}

/** The SQL of the same rules is in problems.server.ts. */
export function problemsOf(item: ProblemFacts): Problem[] {
  const has: Record<Problem, boolean> = {
    noCredit: item.creditCount === 0,
    noCover: !item.hasCover,
    noProductionDate: item.producedOn === null,
    missingCaptions: item.hasAudio && item.captionCount === 0,
    publishFailed: item.publishProblem !== null,
  };
  return PROBLEMS.filter((problem) => has[problem]);
}
