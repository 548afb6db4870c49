import { config } from "#app/config.server.ts";

/** Throws when strangers could read paid files. A store that is away only causes a warning: it may be back soon. */
export async function requireClosedStore(): Promise<void> {
  const { s3 } = config.media;
  if (s3 === null) return;
  const { publicProblem, storeAdvice } = await import("#app/domain/media/storage/s3-check.server.ts");
  const problem = await publicProblem(s3).catch((error: unknown) => {
    console.warn(storeAdvice(error, s3));
    return null;
  });
  if (problem !== null) throw new Error(problem);
}
