import { Refusal } from "./refusal.ts";

const REASONS: Record<string, string> = {
  EACCES: "no permission to read it",
  EPERM: "no permission to read it",
  ENOENT: "it is no longer there",
  ENOTDIR: "it is no longer there",
  EISDIR: "a folder, not a file",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "a link that leads to itself",
};

/** Null for what the disk is not to blame for. */
export function diskReason(error: unknown): string | null {
  if (!(error instanceof Error) || !("syscall" in error)) return null;
  const { code = "no reason was given" } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? `it cannot be read (${code})`;
}

/** Runs what only reads one file or folder of the person who imports. Throws a Refusal when the disk does not give it. */
export async function readSource<T>(label: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const reason = diskReason(error);
    throw reason === null ? error : new Refusal(label, reason);
  }
}
