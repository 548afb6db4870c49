import { config, parseConfig } from "#app/config.server.ts";
import { btcpayInvoiceApi } from "#app/domain/billing/providers/btcpay/invoice-api.server.ts";
import { unfitTerms } from "#app/domain/billing/providers/btcpay/unfit.ts";
import { providerOf } from "#app/domain/billing/providers/providers.server.ts";
import { parseDecimals } from "#app/domain/billing/rules/format-money.ts";
import { startBtcpayStandIn } from "#demo/btcpay/stand-in.ts";
import { btcpayDemo } from "#scripts/supervisor/demo-providers.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { startSite } from "#tests/support/site.ts";
import { submit } from "../stand-in-site.ts";
import { addDays, type ContractShop, orderOf, siteOptions } from "./contract-shop.ts";

/** With the demo's own settings. */
export async function openBtcpayShop(): Promise<ContractShop> {
  const [port, sitePort] = [await findTestPort(), await findTestPort()];
  const demo = btcpayDemo({
    apiUrl: `http://127.0.0.1:${port}`,
    siteOrigin: `http://localhost:${sitePort}`,
    webOrigin: `http://127.0.0.1:${sitePort}`,
  });
  const { btcpay } = parseConfig({ ...process.env, ...demo.settings }).billing;
  if (btcpay === null) throw new Error("The demo's settings are incomplete");
  config.billing.btcpay = btcpay;
  const { control, stop } = await startBtcpayStandIn({
    port,
    settings: btcpay,
    webhookUrl: demo.flags["webhook-url"],
  });
  const priceId = await addDays(30, "9.99");
  const otherPriceId = await addDays(90, "24.99");
  const env = { ...siteOptions.env, ...demo.settings };
  const site = await startSite({ ...siteOptions, port: sitePort, env });
  const api = btcpayInvoiceApi(btcpay);
  /** The invoice that was paid last. Each story asks about what it has just bought. */
  let newest = "";
  return {
    provider: "btcpay",
    forgedIs: "signature",
    site,
    control,
    priceId,
    otherPriceId,
    pay: async (page, how = "works") => {
      // A wallet declines nothing: its owner closes the page.
      if (how === "declined") return null;
      newest = page.split("/").at(-1) ?? "";
      const answer = await submit(page, { method: "BTC-LN" });
      return answer.headers.get("location");
    },
    charges: null,
    refund: () => control.act("invalidate", newest),
    stateOf: async () => {
      const invoice = (await api.listSince(new Date(0))).find(({ id }) => id === newest);
      return invoice?.status === "Settled" ? "ending" : "over";
    },
    asked: async (terms) => {
      if (unfitTerms(terms) !== null) return null;
      const order = orderOf({ ...terms, renewal: null });
      await providerOf("btcpay")?.startCheckout(order);
      const [invoice] = await api.listOf(order.checkoutId);
      if (invoice === undefined) return null;
      const { currency, amount } = invoice;
      return { currency, first: parseDecimals(amount ?? "", currency) ?? 0, renewal: null };
    },
    async stop() {
      await Promise.all([site.stop(), stop()]);
      config.billing.btcpay = null;
    },
  };
}
