export interface MadeImage {
  name: string;
  contentType: string;
  width: number;
  height: number;
  data: Uint8Array;
}

export interface MadePicture {
  color: string;
  images: MadeImage[];
}

/** Its size is the original's, upright. */
export interface MadePhoto extends MadePicture {
  width: number;
  height: number;
  widest: number;
  format: string;
}

/** The program's exit status when it refuses a picture, with the reason on stderr. */
export const REFUSED_STATUS = 2;

export function writeMade<Made extends MadePicture>({ images, ...facts }: Made): string {
  return JSON.stringify({
    ...facts,
    images: images.map(({ data, ...own }) => ({ ...own, data: Buffer.from(data).toString("base64") })),
  });
}
