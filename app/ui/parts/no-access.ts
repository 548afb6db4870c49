/** The site's answers about what this person may no longer see, and about what is gone. */
export const NO_ACCESS_STATUSES = [403, 404, 410];
