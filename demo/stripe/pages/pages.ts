import { checkoutPages } from "./checkout-page.ts";
import { controlPages } from "./control-page.ts";
import { invoicePages } from "./invoice-page.ts";
import type { StripePageRoute } from "./page-route.ts";
import { portalPages } from "./portal-page.ts";

export const PAGES: StripePageRoute[] = [...controlPages, ...checkoutPages, ...portalPages, ...invoicePages];
