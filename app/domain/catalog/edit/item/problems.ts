/** The problems of an item, none of which keeps it from being published. problems.server.ts has the rules. */
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
  noProductionDate: "The date of production is missing.",
  missingCaptions: "The video has sound but no captions.",
  publishFailed: "It could not be published on time.",
  encodingFailed: "Some of its files could not be made.",
};
