import { z } from "zod";
import { signedCookie } from "../request/signed-cookie.server.ts";

/** One sentence for the page that a saved form redirects to: an address that says it would say it again after Back. */
const noticeCookie = signedCookie("notice", 60);
const Notice = z.object({
  path: z.string().max(500, { abort: true }),
  sentence: z.string().max(2_000, { abort: true }),
});

export function serializeNotice(page: string, sentence: string): Promise<string> {
  return noticeCookie.serialize({ path: pathOf(page), sentence });
}

/** `headers` belong to the answer, so that the notice is shown once. Another page leaves it. */
export async function takeNotice(request: Request): Promise<{ notice: string | null; headers: Headers }> {
  const headers = new Headers();
  const stored = Notice.safeParse(await noticeCookie.parse(request.headers.get("Cookie")));
  if (!stored.success || stored.data.path !== pathOf(request.url)) return { notice: null, headers };
  headers.append("Set-Cookie", await noticeCookie.serialize("", { maxAge: 0 }));
  return { notice: stored.data.sentence, headers };
}

/** Remix requests a page's data at its path with .data. */
function pathOf(address: string): string {
  return new URL(address, "http://localhost").pathname.replace(/\.data$/, "");
}
