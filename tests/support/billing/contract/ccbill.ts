import { config, parseConfig } from "#app/config.server.ts";
import { ccbillDataLink } from "#app/domain/billing/providers/ccbill/data-link.server.ts";
import { paymentLink, unfitTerms } from "#app/domain/billing/providers/ccbill/payment-link.ts";
import { ourId, theirId } from "#app/domain/billing/providers/contract/facts.ts";
import { centsOf, currencyName } from "#demo/ccbill/money.ts";
import { readOrder } from "#demo/ccbill/order.ts";
import { startCcbillStandIn } from "#demo/ccbill/stand-in.ts";
import { ccbillDemo } from "#scripts/supervisor/demo-providers.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { startSite } from "#tests/support/site.ts";
import { submit } from "../stand-in-site.ts";
import { addDays, type ContractShop, orderOf, siteOptions } from "./contract-shop.ts";

const CARDS = { works: "4242", declined: "0002" };

/** With the demo's own settings. */
export async function openCcbillShop(): Promise<ContractShop> {
  const [port, sitePort] = [await findTestPort(), await findTestPort()];
  const demo = ccbillDemo({
    apiUrl: `http://127.0.0.1:${port}`,
    siteOrigin: `http://localhost:${sitePort}`,
    webOrigin: `http://127.0.0.1:${sitePort}`,
  });
  const { ccbill } = parseConfig({ ...process.env, ...demo.settings }).billing;
  if (ccbill === null) throw new Error("The demo's settings are incomplete");
  config.billing.ccbill = ccbill;
  const { "approval-url": approvalUrl = "", "denial-url": denialUrl = "" } = demo.flags;
  const settings = { ...ccbill, approvalUrl, denialUrl };
  const { control, stop } = await startCcbillStandIn({
    port,
    settings,
    webhookUrl: demo.flags["webhook-url"],
  });
  const priceId = await addDays(30, "9.99");
  const otherPriceId = await addDays(90, "24.99");
  const env = { ...siteOptions.env, ...demo.settings };
  const site = await startSite({ ...siteOptions, port: sitePort, env });
  const dataLink = ccbillDataLink(ccbill);
  const theirs = (id: string) => theirId("ccbill", id);
  return {
    provider: "ccbill",
    forgedIs: "address",
    site,
    control,
    priceId,
    otherPriceId,
    pay: async (page, how = "works") => {
      const answer = await submit(page, { card: CARDS[how], email: "ada@example.com", declines: "2" });
      return answer.headers.get("location");
    },
    charges: {
      fail: (id, how) => {
        for (let left = how === "once" ? 1 : 2; left > 0; left--) control.act("fail", theirs(id));
      },
      cancel: async (id) => control.act("cancel", theirs(id)),
      end: async (id) => control.act("void", theirs(id)),
      chargeBack: (id) => control.act("chargeback", theirs(id)),
      newest: async () => ourId("ccbill", control.heldBack().at(-1)?.fields.subscriptionId ?? ""),
    },
    refund: (id) => control.act("refund", theirs(id)),
    stateOf: async (id) => (await dataLink.readStatus(theirs(id)))?.state ?? "over",
    asked: async (terms) => {
      if (unfitTerms(terms) !== null) return null;
      const link = new URL(paymentLink(orderOf(terms), ccbill));
      const { initialPrice, recurring, currencyCode } = readOrder(link.searchParams, ccbill.flexId, settings);
      const renewal = centsOf(recurring?.price ?? "");
      return {
        currency: currencyName(currencyCode).toLowerCase(),
        first: centsOf(initialPrice) ?? 0,
        renewal,
      };
    },
    async stop() {
      await Promise.all([site.stop(), stop()]);
      config.billing.ccbill = null;
    },
  };
}
