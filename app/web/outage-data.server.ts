import { decode, encode } from "turbo-stream";
import { outageResponseOf } from "./outage.server.ts";

/** What Remix writes in a way of its own: its name, then its parts. */
class Named {
  constructor(readonly parts: [string, ...unknown[]]) {}
}

/** For a navigation by script: Remix has made "Unexpected Server Error" of whatever was thrown, here as in a page. */
export async function withOutage(request: Request, response: Response): Promise<Response> {
  const outage = outageResponseOf(request);
  if (outage === null || response.body === null) return response;
  const instead = new Named(["ErrorResponse", outage.data, outage.status, outage.statusText]);
  const { value, done } = await decode(response.body, {
    plugins: [
      (name, ...parts) => ({ value: name === "SanitizedError" ? instead : new Named([name, ...parts]) }),
    ],
  });
  await done;
  const body = encode(value, { plugins: [(part) => part instanceof Named && part.parts] });
  return new Response(body, { status: outage.status, headers: response.headers });
}
