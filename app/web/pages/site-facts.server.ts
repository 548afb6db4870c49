import { config } from "#app/config.server.ts";
import { formatShortZoneTime } from "#app/dates.ts";
import { type SiteFile, site } from "#app/domain/site/site.server.ts";
import { paths } from "#app/paths.ts";

export function ownLook() {
  const { accent, files } = site;
  const look = {
    ...(accent !== null && { accent }),
    ...(files.some(({ kind }) => kind === "logo") && { logo: logoView(files) }),
    ...(files.some(({ kind }) => kind === "icon") && { icons: iconViews(files) }),
    ...(files.some(({ kind }) => kind === "share") && { share: addressOf(files, "share.jpg") }),
  };
  return Object.keys(look).length === 0 ? {} : { look };
}

export function ownOpening() {
  const { headline, words } = site.values;
  const opening = { ...(headline !== "" && { headline }), ...(words !== "" && { words }) };
  return Object.keys(opening).length === 0 ? {} : { opening };
}

export interface LogoView {
  src: string;
  width: number;
  height: number;
}

function logoView(files: SiteFile[]): LogoView | undefined {
  const logo = files.find(({ kind }) => kind === "logo");
  return logo && { src: paths.siteFile(logo.version, logo.name), width: logo.width, height: logo.height };
}

function iconViews(files: SiteFile[]) {
  return [
    { rel: "icon", href: addressOf(files, "icon-32.png"), sizes: "32x32", type: "image/png" },
    { rel: "icon", href: addressOf(files, "icon-192.png"), sizes: "192x192", type: "image/png" },
    { rel: "apple-touch-icon", href: addressOf(files, "apple-touch-icon.png") },
  ];
}

function addressOf(files: SiteFile[], name: string): string {
  const version = files.find((file) => file.name === name)?.version ?? "";
  return paths.siteFile(version, name);
}

export const siteFacts = {
  get siteName() {
    return site.name;
  },
  get timeZone() {
    return site.timeZone;
  },
  get contactEmail() {
    return site.contactEmail;
  },
  origin: config.origin,
  statement: config.billing.statement,
  hasTax: config.billing.hasTax,
  hasOutbox: config.mail.hasOutbox,
} as const;

export function siteTime(moment: Date): string {
  return formatShortZoneTime(moment, site.timeZone);
}
