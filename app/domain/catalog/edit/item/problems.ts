/**
 * Everything that an item may lack, in the order of media_problems() in the migrations, which has the rules; problems.server.ts
 * has that of the last. None of them but publishFailed keeps it from being published.
 */
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
