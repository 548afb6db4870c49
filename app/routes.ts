import { flatRoutes } from "@remix-run/fs-routes";
import { layout } from "@remix-run/route-config";

export default [layout("boundary.tsx", await flatRoutes())];
