/** How long a mailed link and its code work. Mails arrive ten minutes late and more: decision 127. */
export const SIGN_IN_MINUTES = 30;
export const SIGN_IN_LIFETIME = `${SIGN_IN_MINUTES} minutes`;
