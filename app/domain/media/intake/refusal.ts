/** Something in the folder that cannot become media. The message is one plain reason, without the file's name. */
export class Refusal extends Error {
  /** As shown to the person who imports. */
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.path = path;
  }
}
