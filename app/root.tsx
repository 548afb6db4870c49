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
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { Theme, ThemeProvider, useTheme } from "remix-themes/build/theme-provider.js";
import { ErrorBoundary as Boundary } from "./boundary.tsx";
import { config } from "./config.server.ts";
import { paths } from "./paths.ts";
import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import { initials } from "./ui/initials.ts";
import { useOpeningTimes } from "./ui/player/saved-places.ts";
import { SessionKeeper } from "./ui/session/session-keeper.tsx";
import { UserProvider } from "./ui/session/user-context.tsx";
import { errorText } from "./ui/shell/error-texts.ts";
import { Shell } from "./ui/shell/shell.tsx";
import { theme as mantineTheme } from "./ui/theme.ts";
import { useErrorId } from "./web/error-id.tsx";
import { anyoneOrUnknown } from "./web/guards.server.ts";
import { useNonce } from "./web/nonce.tsx";
import { pageMeta, rememberSite } from "./web/page-meta.ts";
import { RTA_LABEL } from "./web/rta-label.ts";
import { themeSession } from "./web/theme.server.ts";
import type { Viewer } from "./web/viewer.server.ts";

export const links: LinksFunction = () => [
  { rel: "preload", href: fraunces, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/peony.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
];

export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  if (data) rememberSite(data);
  // Who calls the site by another's name is not told its own.
  else if (isRouteErrorResponse(error)) return [{ title: errorText(error.status).title }];
  return pageMeta();
};

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyoneOrUnknown(request);
  const session = await themeSession(request);

  return {
    siteName: config.siteName,
    origin: config.origin,
    year: new Date().getFullYear(),
    colorMode: session.getTheme() ?? Theme.LIGHT,
    viewer: viewer && viewerView(viewer),
    isViewerKnown: viewer !== null,
    sessionExpiresIn: viewer?.session?.expiresIn ?? null,
  };
}

export default function App() {
  useOpeningTimes();
  return <Outlet />;
}

export function Layout({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>("root");
  return (
    <ThemeProvider specifiedTheme={data?.colorMode ?? Theme.LIGHT} themeAction={paths.api.colorMode()}>
      <Document>
        <UserProvider user={data?.viewer ?? null}>
          <Shell siteName={data?.siteName ?? ""} year={data?.year ?? new Date().getFullYear()}>
            {children}
          </Shell>
        </UserProvider>
        {data?.isViewerKnown ? <SessionKeeper user={data.viewer} expiresIn={data.sessionExpiresIn} /> : null}
      </Document>
    </ThemeProvider>
  );
}

/** For when the root's own data fails. */
export const ErrorBoundary = Boundary;

function Document({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const [colorMode] = useTheme();
  const scheme = colorMode ?? Theme.LIGHT;
  const hasScripts = useErrorId() === undefined;
  useEffect(() => document.body.classList.remove("loading"), []);

  return (
    <html lang="en" data-mantine-color-scheme={scheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="rating" content={RTA_LABEL} />
        <Meta />
        <Links />
        {/* Parts painted while the rest is on its way would move when it comes. */}
        <link rel="expect" href="#end" blocking="render" />
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
          </>
        ) : null}
      </body>
    </html>
  );
}

/** Mantine's own manager would write its default to the page before the forced mode, seen as a flash. */
function cookieOnly(scheme: Theme) {
  return { get: () => scheme, set() {}, subscribe() {}, unsubscribe() {}, clear() {} };
}

function viewerView({ user }: Viewer) {
  if (user === null) return null;
  return {
    name: user.fullName || "User Name",
    email: user.email,
    avatarUrl: user.avatarUrl,
    initials: initials(user.fullName || "User Name"),
  };
}
