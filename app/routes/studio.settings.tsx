import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { OPENING } from "#app/ui/catalog/opening.ts";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { PartsFrame, useOldAnchors } from "#app/ui/studio/parts-frame.tsx";
import { SITE_SECTION_TEXTS, settingParts } from "#app/ui/studio/settings/setting-texts.ts";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { siteDefaults, summarizeSettings } from "#app/web/studio/settings-part.server.ts";

export { keepTyped as shouldRevalidate };

export const meta: MetaFunction<typeof loader> = ({ data: summary, location }) => {
  const part = summary && settingParts(summary).find(({ to }) => to === location.pathname);
  return pageMeta({ title: part ? `${part.name}: settings` : "Settings", robots: "noindex" });
};

export async function loader({ request }: LoaderFunctionArgs) {
  await requireStaff(request, "site");
  return summarizeSettings(siteDefaults(OPENING));
}

export default function StudioSettingsLayout() {
  const summary = useLoaderData<typeof loader>();
  const overview = paths.studioSettings();
  const isOverview = useLocation().pathname === overview;
  useOldAnchors(overview, PART_OF_ANCHOR);
  return (
    <StudioFrame
      title="Settings"
      about={
        isOverview &&
        "The name, look and texts of the site. A change appears on every page and in every email at once."
      }
    >
      <PartsFrame overview={overview} back="All settings" parts={settingParts(summary)}>
        {isOverview ? null : <Outlet />}
      </PartsFrame>
    </StudioFrame>
  );
}

const PART_OF_ANCHOR = Object.fromEntries(Object.keys(SITE_SECTION_TEXTS).map((name) => [name, name]));
