/** A file of a picture before it is stored. */
export interface MadeImage {
  name: string;
  contentType: string;
  width: number;
  height: number;
  data: Uint8Array;
}

export interface MadePicture {
  /** "#rrggbb" */
  color: string;
  images: MadeImage[];
}

/** A photo with the size of its original, upright. */
export interface MadePhoto extends MadePicture {
  width: number;
  height: number;
  /** The largest width that was made. */
  widest: number;
  /** The original's, such as "jpeg". */
  format: string;
}

/** For the answer of a program: bytes as texts, which readMade() reads. */
export function writeMade<Made extends MadePicture>({ images, ...facts }: Made): string {
  return JSON.stringify({
    ...facts,
    images: images.map(({ data, ...own }) => ({ ...own, data: Buffer.from(data).toString("base64") })),
  });
}
