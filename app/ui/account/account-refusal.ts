import type { SubmissionResult } from "@conform-to/react";

/** Why one of the account page's forms was refused. At most one is there. */
export interface AccountRefusal {
  profile?: SubmissionResult<string[]>;
  avatar?: string;
  /** Of the whole account. */
  removal?: string;
  errorId?: string;
}
