import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { createThemeAction, isTheme } from "remix-themes";
import { anyone } from "#app/web/guards.server.ts";
import { safeRedirect } from "#app/web/safe-redirect.ts";
import { themeSession } from "#app/web/theme.server.ts";

const saveThemeFromJson = createThemeAction(themeSession);

export async function action(args: ActionFunctionArgs) {
  await anyone(args.request);
  if (!isForm(args.request)) return saveThemeFromJson(args);

  const form = await args.request.formData();
  const session = await themeSession(args.request);
  const theme = form.get("theme");
  if (isTheme(theme)) session.setTheme(theme);
  return redirect(safeRedirect(form.get("next")), {
    status: 303,
    headers: { "Set-Cookie": await session.commit() },
  });
}

function isForm(request: Request): boolean {
  return request.headers.get("content-type")?.includes("form") ?? false;
}
