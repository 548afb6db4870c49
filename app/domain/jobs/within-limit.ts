/** Rejects with the sentence after the limit. The work goes on, because nothing ends a call to a lost disk. */
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
