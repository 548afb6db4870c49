import "./start/load-env.ts";
import { runBillingScript } from "./start/billing-script.ts";

await runBillingScript("billing:sync", async () => (await import("./billing/sync-offer.ts")).syncOffer);
