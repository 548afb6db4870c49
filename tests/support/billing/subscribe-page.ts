import { eq } from "drizzle-orm";
import { afterAll, beforeEach } from "vitest";
import { syncOffer } from "#app/domain/billing/sync/write-offer.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { createMember, signedInCookie } from "../people.ts";
import { startPaidSite } from "./paid-site.ts";

export type Person = { id: string; cookie: string };

/** A site with three plans, one with a trial, and the steps that its visitors take to the payment. */
export async function openSubscribePage() {
  const shop = await startPaidSite({ env: { BILLING_STATEMENT: "PEONY FILMS" } });
  afterAll(() => shop.stop());
  const common = { product: shop.product.id, currency: "usd", recurring: { interval: "month" as const } };
  const trial = { ...common, unit_amount: 1999, metadata: { trial_period_days: "7" } };
  const withTrial = await shop.stripe.prices.create(trial);
  await syncOffer({ isDryRun: false });
  // The shop receives no events, so the site must find everything by its own calls.
  shop.control.webhooks({ mode: "drop" });
  beforeEach(() => db.delete(rateLimits));

  async function newcomer() {
    const member = await createMember();
    return { ...member, cookie: await signedInCookie(member.id) };
  }

  const get = (path: string, cookie: string) => shop.site.fetch(path, { headers: { cookie } });

  async function post(path: string, cookie: string, form: Record<string, string> | [string, string][]) {
    const headers = { cookie, origin: shop.site.origin };
    return shop.site.fetch(path, { method: "POST", headers, body: new URLSearchParams(form) });
  }

  /** The text beside a plan's box, as a person reads it, and the value that the box sends. */
  async function termsOn(cookie: string, priceId: string) {
    const html = await (await get("/subscribe", cookie)).text();
    const box = new RegExp(`<input[^>]*name="consent-${priceId}"[^>]*/?>`).exec(html);
    const [, text = ""] =
      /^<span>(.*?)<\/span>/s.exec(html.slice((box?.index ?? 0) + (box?.[0].length ?? 0))) ?? [];
    const [, hash = ""] = /value="([0-9a-f]{64})"/.exec(box?.[0] ?? "") ?? [];
    return { html, hash, isTicked: /checked/.test(box?.[0] ?? ""), text: decoded(text) };
  }

  async function agreeTo(cookie: string, priceId: string): Promise<Record<string, string>> {
    return { plan: priceId, [`consent-${priceId}`]: (await termsOn(cookie, priceId)).hash };
  }

  const rowsOf = ({ id }: Person) => db.select().from(checkouts).where(eq(checkouts.userId, id));

  /** Starts a purchase, up to the provider's page. */
  async function begin(person: Person, priceId: string, more: Record<string, string> = {}) {
    const answer = await post("/subscribe", person.cookie, {
      ...(await agreeTo(person.cookie, priceId)),
      ...more,
    });
    const [row] = await rowsOf(person);
    return {
      status: answer.status,
      url: answer.headers.get("location") ?? "",
      id: row?.id ?? "",
      cookies: answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]),
    };
  }

  return { shop, withTrial, newcomer, get, post, termsOn, agreeTo, rowsOf, begin };
}

export function decoded(html: string): string {
  return html
    .replaceAll("<!-- -->", "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
