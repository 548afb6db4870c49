import fraunces from "@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2?url";
import { MantineProvider } from "@mantine/core";
import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  type MetaFunction,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { Theme, ThemeProvider, useTheme } from "remix-themes/build/theme-provider.js";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { ErrorBoundary as Boundary } from "./boundary.tsx";
import { shownAddress } from "./domain/mail/shown-address.server.ts";
import type { AccentColors } from "./domain/site/colors.ts";
import { RIGHTS } from "./domain/staff/rights.ts";
import { paths } from "./paths.ts";
import "./ui/theme/fonts.css";
import "./ui/theme/tokens.css";
import "./ui/theme/base.css";
import { RTA_LABEL } from "#app/web/pages/page-meta.ts";
import { useErrorId, useNonce } from "#app/web/pages/render-context.tsx";
import { FavoriteFormsProvider } from "./ui/cards/favorite-forms.tsx";
import { playPreviews } from "./ui/cards/hover-preview.ts";
import { errorText } from "./ui/errors/error-texts.ts";
import { LiveUpdates } from "./ui/live/live-updates.tsx";
import { useClientNavigation } from "./ui/navigation/use-client-navigation.ts";
import { ContactProvider } from "./ui/parts/contact.tsx";
import { initials, shownName } from "./ui/parts/initials.ts";
import { useNavigationStart } from "./ui/progress/saved-progress.ts";
import { SessionKeeper } from "./ui/session/session-keeper.tsx";
import { UserProvider } from "./ui/session/user-context.tsx";
import { Shell } from "./ui/shell/shell.tsx";
import { accentStyle } from "./ui/theme/accent-style.ts";
import { theme as mantineTheme } from "./ui/theme/theme.ts";
import { iconLinks, pageMeta, setSite } from "./web/pages/page-meta.ts";
import { ownLook, siteFacts } from "./web/pages/site-facts.server.ts";
import { themeSession } from "./web/session/color-mode.server.ts";
import { anyoneOrUnknown } from "./web/session/guards.server.ts";

export const links: LinksFunction = () => [
  { rel: "preload", href: fraunces, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  ...iconLinks(),
];

export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  if (data) setSite(data);
  // A request under an unknown host name does not learn the site's name.
  else if (isRouteErrorResponse(error)) return [{ title: errorText(error.status).title }];
  return pageMeta();
};

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyoneOrUnknown(request);
  const session = await themeSession(request);

  return {
    siteName: siteFacts.siteName,
    contactEmail: shownAddress(siteFacts.contactEmail) || null,
    origin: siteFacts.origin,
    ...ownLook(),
    year: new Date().getFullYear(),
    colorMode: session.getTheme() ?? Theme.LIGHT,
    viewer: viewer && viewerView(viewer),
    isViewerKnown: viewer !== null,
    sessionExpiresIn: viewer?.session?.expiresIn ?? null,
  };
}

export default function App() {
  useNavigationStart();
  useClientNavigation();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a preview ends with its page.
  useEffect(playPreviews, [key]);
  return (
    <FavoriteFormsProvider>
      <Outlet />
    </FavoriteFormsProvider>
  );
}

export function Layout({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>("root");
  return (
    <ThemeProvider specifiedTheme={data?.colorMode ?? Theme.LIGHT} themeAction={paths.api.colorMode()}>
      <Document accent={data?.look?.accent}>
        <UserProvider user={data?.viewer ?? null}>
          <ContactProvider value={data?.contactEmail ?? null}>
            <Shell
              siteName={data?.siteName ?? ""}
              logo={data?.look?.logo}
              year={data?.year ?? new Date().getFullYear()}
            >
              {children}
            </Shell>
          </ContactProvider>
        </UserProvider>
        {data?.isViewerKnown ? <SessionKeeper user={data.viewer} expiresIn={data.sessionExpiresIn} /> : null}
        {data?.viewer ? <LiveUpdates key={data.viewer.email} /> : null}
      </Document>
    </ThemeProvider>
  );
}

export const ErrorBoundary = Boundary;

function Document({ accent, children }: { accent: AccentColors | undefined; children: ReactNode }) {
  const nonce = useNonce();
  const [colorMode] = useTheme();
  const scheme = colorMode ?? Theme.LIGHT;
  const hasScripts = useErrorId() === undefined;
  useEffect(() => document.body.classList.remove("loading"), []);

  return (
    <html lang="en" data-mantine-color-scheme={scheme} style={accentStyle(accent, scheme)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Safari on iOS would make links of dates and amounts before React sees them: decision 129. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <meta name="rating" content={RTA_LABEL} />
        <Meta />
        <Links />
        {/* Parts that are painted early would move when the rest arrives. */}
        <link rel="expect" href="#end" blocking="render" />
        <LastOfList />
      </head>
      <body className={hasScripts ? "loading" : undefined}>
        <MantineProvider
          theme={mantineTheme}
          forceColorScheme={scheme}
          colorSchemeManager={cookieOnly(scheme)}
          getStyleNonce={() => nonce ?? ""}
          withCssVariables={false}
          withGlobalClasses={false}
        >
          {children}
        </MantineProvider>
        {hasScripts ? (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
            <LastOfList />
          </>
        ) : null}
      </body>
    </html>
  );
}

/** In head and body React mistakes another's link or script for ours, unless an element of another name comes last. */
function LastOfList() {
  return <noscript />;
}

/** Mantine's own manager would flash its default before the forced mode. */
function cookieOnly(scheme: Theme) {
  return { get: () => scheme, set() {}, subscribe() {}, unsubscribe() {}, clear() {} };
}

function viewerView({ user }: Viewer) {
  if (user === null) return null;
  const name = shownName(user.fullName);
  return {
    name,
    email: shownAddress(user.email),
    avatarUrl: user.avatarUrl,
    initials: initials(name),
    rights: RIGHTS[user.role],
  };
}
