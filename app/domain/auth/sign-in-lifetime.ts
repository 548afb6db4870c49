/** How long a mailed link and its code work. Mails arrive ten minutes late and more: decision 127. */
export const SIGN_IN_MINUTES = 30;
export const SIGN_IN_LIFETIME = `${SIGN_IN_MINUTES} minutes`;
/** After this many wrong codes, neither the code nor the link works. */
export const MAX_TRIES = 5;
