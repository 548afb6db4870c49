/** How long a mailed link and its code work. Privacy names it, too (app/content/privacy.md). */
export const SIGN_IN_MINUTES = 10;
export const SIGN_IN_LIFETIME = "ten minutes";
/** After this many wrong codes, neither the code nor the link works. */
export const MAX_TRIES = 5;
