import { PictureError } from "../picture-error.ts";
import { Refusal } from "./refusal.ts";

/** Runs what reads one picture of the person who imports. Throws a Refusal of `label` when it is none that can be used. */
export async function readPicture<T>(label: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof PictureError ? new Refusal(label, error.message) : error;
  }
}
