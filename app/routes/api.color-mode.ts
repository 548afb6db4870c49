import type { ActionFunctionArgs } from "@remix-run/node";
import { createThemeAction, isTheme } from "remix-themes";
import { readBody, readForm } from "#app/web/forms/form-body.server.ts";
import { safeRedirect } from "#app/web/request/safe-redirect.ts";
import { themeSession } from "#app/web/session/color-mode.server.ts";
import { redirectWithCookies } from "#app/web/session/cookie-check.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

const saveThemeFromJson = createThemeAction(themeSession);

export async function action(args: ActionFunctionArgs) {
  await anyone(args.request);
  if (!isForm(args.request)) return saveThemeFromJson({ ...args, request: await readJson(args.request) });

  const form = await readForm(args.request);
  const session = await themeSession(args.request);
  const theme = form.get("theme");
  if (isTheme(theme)) session.setTheme(theme);
  return redirectWithCookies(args.request, safeRedirect(form.get("next")), {
    use: "colors",
    headers: { "Set-Cookie": await session.commit() },
  });
}

function isForm(request: Request): boolean {
  return request.headers.get("content-type")?.includes("form") ?? false;
}

async function readJson(request: Request): Promise<Request> {
  const body = await readBody(request);
  if (!hasTheme(Buffer.from(body).toString())) throw new Response("Request Failed", { status: 400 });
  return new Request(request.url, { method: "POST", headers: request.headers, body });
}

function hasTheme(text: string): boolean {
  try {
    const sent: unknown = JSON.parse(text);
    return typeof sent === "object" && sent !== null && "theme" in sent;
  } catch {
    return false;
  }
}
