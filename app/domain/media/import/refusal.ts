import { GONE, PictureError } from "../picture.server.ts";
import { DISK_FULL, isNoSpace } from "../storage/disk-full.ts";
import { VideoError } from "../video/probe.server.ts";

const REASONS: Record<string, string> = {
  EACCES: "no permission to read it",
  EPERM: "no permission to read it",
  ENOENT: GONE,
  ENOTDIR: GONE,
  EISDIR: "a folder, not a file",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "a link to itself",
};

export const LINK = "links are not followed";
/** Begins each reason that is another file's fault, also in stored notes. */
export const HELD_BACK = "not imported without ";
export const RAW = "a camera's raw picture; save it as JPEG first";
export const NO_FILE = "neither a file nor a folder";
export const NO_MEDIA = "neither a video nor a picture";

/** The message is a reason without the file's name. */
export class ImportRefusal extends Error {
  readonly path: string;
  readonly more: ImportRefusal[];

  constructor(path: string, reason: string, more: ImportRefusal[] = []) {
    super(reason);
    this.path = path;
    this.more = more;
  }
}

export function diskReason(error: unknown): string | null {
  if (!(error instanceof Error) || !("syscall" in error)) return null;
  if (isNoSpace(error)) return DISK_FULL;
  const { code = "no reason was given" } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? `it cannot be read (${code})`;
}

/** Turns any error into a refusal, so that none ends the import. */
export function refusalOf(error: unknown, label: string): ImportRefusal {
  if (error instanceof ImportRefusal) return error;
  if (error instanceof PictureError || error instanceof VideoError)
    return new ImportRefusal(label, error.message);
  if (!(error instanceof Error)) return new ImportRefusal(label, `unexpected: ${error}`);
  // The query builder wraps the database's errors.
  const cause: NodeJS.ErrnoException = error.cause instanceof Error ? error.cause : error;
  const { code, syscall, message } = cause;
  if (isNoSpace(cause)) return new ImportRefusal(label, DISK_FULL);
  // The message contains a path, which people have named.
  if (syscall !== undefined) return new ImportRefusal(label, `unexpected: ${code ?? syscall}`);
  return new ImportRefusal(label, `unexpected: ${message.split("\n", 1)[0]}`);
}

/** Refuses the file for what its disk reports. */
export async function readSource<T>(label: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const reason = diskReason(error);
    throw reason === null ? error : new ImportRefusal(label, reason);
  }
}

/** Refuses the file for any error. */
export async function orRefuse<T>(label: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw refusalOf(error, label);
  }
}
