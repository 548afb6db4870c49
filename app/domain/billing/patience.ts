import { ProviderUnreachable } from "./providers/provider.ts";

/** For which a person waits for the payment provider, however many questions it takes and how often each is tried. */
export const PATIENCE_MS = 10_000;

/**
 * What the provider is asked for, or ProviderUnreachable when that takes too long. The asking itself goes on: what it
 * brings about is written, and the next try finds it.
 */
export async function withPatience<Answer>(work: Promise<Answer>, patienceMs = PATIENCE_MS): Promise<Answer> {
  // When nobody waits any more, nobody is told of a failure either.
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProviderUnreachable("The provider takes too long.")), patienceMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
