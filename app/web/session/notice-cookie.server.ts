import { signedCookie } from "../request/signed-cookie.server.ts";

/** One sentence for the page that a saved form redirects to: an address that says it would say it again after Back. */
const noticeCookie = signedCookie("notice", 60);

export function serializeNotice(sentence: string): Promise<string> {
  return noticeCookie.serialize(sentence);
}

/** `headers` belong to the answer, so that the notice is shown once. */
export async function takeNotice(request: Request): Promise<{ notice: string | null; headers: Headers }> {
  const headers = new Headers();
  const notice: unknown = await noticeCookie.parse(request.headers.get("Cookie"));
  if (typeof notice !== "string" || notice === "") return { notice: null, headers };
  headers.append("Set-Cookie", await noticeCookie.serialize("", { maxAge: 0 }));
  return { notice, headers };
}
