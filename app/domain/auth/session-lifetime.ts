/** From the specification, counted from the last renewal. */
export const SESSION_LIFETIME_SECONDS = 28_800;
/** Counted from the sign-in, regardless of activity. */
export const SESSION_CAP_DAYS = 30;
export const RENEW_AFTER_SECONDS = 600;
