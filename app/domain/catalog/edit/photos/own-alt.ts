/** The text of a photo that nobody has described. */
export function ownAlt(title: string, position: number, count: number): string {
  return `${title}, photo ${position} of ${count}`;
}

/** For JavaScript and PostgreSQL alike. */
export const OWN_ALT_END = ", photo [0-9]+ of [0-9]+$";

export function isOwnAlt(alt: string): boolean {
  return new RegExp(OWN_ALT_END).test(alt);
}
