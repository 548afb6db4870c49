import { flatRoutes } from "@remix-run/fs-routes";
import { layout, route } from "@remix-run/route-config";

/** Pages that differ in their text alone. */
const SITE_PAGES = ["about", "privacy", "terms", "2257"];
const FILE = "routes/site-page.tsx";

const ownFiles = await flatRoutes({ ignoredRouteFiles: [`**/${FILE}`] });
const sitePages = SITE_PAGES.map((path) => route(path, FILE, { id: `routes/${path}` }));
export default [layout("boundary.tsx", [...ownFiles, ...sitePages])];
