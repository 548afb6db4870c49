export type Outcome = { isOk: true; detail: string } | { isOk: false; advice: string };
export type CheckResult = { name: string } & Outcome;

export interface Check {
  name: string;
  run: () => Promise<Outcome>;
  onFailure: string;
  withinMs?: number;
  /** The name of an earlier check; if that one fails, this one is skipped. */
  needs?: string;
}

const WITHIN_MS = 15_000;

export function ok(detail: string): Outcome {
  return { isOk: true, detail };
}

export function fix(advice: string): Outcome {
  return { isOk: false, advice };
}

export async function runCheck({ name, run, onFailure, withinMs = WITHIN_MS }: Check): Promise<CheckResult> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(resolve, withinMs, fix(`${onFailure} (no answer in ${withinMs / 1000} s)`));
  });
  try {
    return { name, ...(await Promise.race([run(), late])) };
  } catch (error) {
    return { name, ...fix(`${onFailure} (${reasonOf(error)})`) };
  } finally {
    clearTimeout(timer);
  }
}

/** A code or the first line: messages of other programs may quote visitors further down. */
export function reasonOf(error: unknown): string {
  const { code, cause, message } = error as { code?: string; cause?: { code?: string }; message?: string };
  return code ?? cause?.code ?? message?.split("\n", 1)[0] ?? String(error);
}
