/** Rejects with the sentence when the work takes longer. The work itself goes on: nothing ends a call of a lost disk. */
export async function withinLimit<Result>(
  work: Promise<Result>,
  limitMs: number,
  sentence: string,
): Promise<Result> {
  // After the limit nobody handles a failure.
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(sentence)), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
