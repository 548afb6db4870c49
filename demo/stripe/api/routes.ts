import type { Route } from "../http/route.ts";
import { checkoutRoutes } from "./checkout-sessions.ts";
import { customerRoutes } from "./customers.ts";
import { eventRoutes } from "./events.ts";
import { invoiceRoutes } from "./invoices.ts";
import { moneyRoutes } from "./money.ts";
import { paymentMethodRoutes } from "./payment-methods.ts";
import { portalConfigurationRoutes } from "./portal-configurations.ts";
import { portalSessionRoutes } from "./portal-sessions.ts";
import { priceRoutes } from "./prices.ts";
import { productRoutes } from "./products.ts";
import { promotionRoutes } from "./promotions.ts";
import { subscriptionScheduleRoutes } from "./subscription-schedules.ts";
import { subscriptionRoutes } from "./subscriptions.ts";

export const API_ROUTES: Route[] = [
  ...checkoutRoutes,
  ...customerRoutes,
  ...eventRoutes,
  ...invoiceRoutes,
  ...moneyRoutes,
  ...paymentMethodRoutes,
  ...portalConfigurationRoutes,
  ...portalSessionRoutes,
  ...priceRoutes,
  ...productRoutes,
  ...promotionRoutes,
  ...subscriptionRoutes,
  ...subscriptionScheduleRoutes,
];
