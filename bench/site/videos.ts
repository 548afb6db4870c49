import { changeEncoding } from "#app/domain/catalog/encoding/change-encoding.server.ts";
import { HOST } from "#tests/support/media.ts";

/** Everything of it is made again. */
export async function queueAgain(mediaId: string): Promise<void> {
  const problem = await changeEncoding(HOST, mediaId, "again");
  if (problem !== null) throw new Error(problem);
}
