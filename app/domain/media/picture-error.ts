/** Apart from picture.server.ts, so that web processes do not load the decoder. The message is a plain reason without the file's name. */
export class PictureError extends Error {}
