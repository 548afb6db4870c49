/** An item with problems can still be published. The rules are in problems.server.ts. */
export const PROBLEMS = [
  "noCredit",
  "noCover",
  "noProductionDate",
  "missingCaptions",
  "publishFailed",
  "encodingFailed",
] as const;
export type Problem = (typeof PROBLEMS)[number];

export const PROBLEM_SENTENCES: Record<Problem, string> = {
  noCredit: "No creator is credited.",
  noCover: "It has no cover.",
  noProductionDate: "The production date is missing.",
  missingCaptions: "The video has audio but no captions.",
  publishFailed: "It could not be published on time.",
  encodingFailed: "Some files could not be encoded.",
};

/** "One item" or "12 items" before it makes the line about all of them. */
export const ITEMS_WITH: Record<Problem, string> = {
  noCredit: "without a credited creator",
  noCover: "without a cover",
  noProductionDate: "without a production date",
  missingCaptions: "with audio but without captions",
  publishFailed: "that could not be published on time",
  encodingFailed: "with files that could not be encoded",
};

/** What an item still lacks when it is published, which solves a failed publication. */
export function missingIn(problems: Problem[]): Problem[] {
  return problems.filter((problem) => problem !== "publishFailed");
}

export function problemText(problems: Problem[]): string {
  return problems.map((problem) => PROBLEM_SENTENCES[problem]).join(" ");
}
