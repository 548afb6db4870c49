/** The message is one plain reason, without the file's name. */
export class PictureError extends Error {}
