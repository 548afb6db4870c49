/** The message is a plain reason without the file's name. */
export class PictureError extends Error {}
