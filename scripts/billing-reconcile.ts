import "./start/load-env.ts";
import { runBillingScript } from "./start/billing-script.ts";

await runBillingScript("billing:reconcile", async () => (await import("./billing/reconcile.ts")).reconcile);
