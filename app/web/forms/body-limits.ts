/** The largest bodies that the site reads, in bytes. nginx takes no more in, except for pictures. */
export const BODY_LIMITS = {
  form: 64 * 1024,
  picture: 5 * 1024 * 1024,
  /** An event of the payment provider. */
  event: 256 * 1024,
};
