import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BtcpayStandIn, startBtcpayStandIn } from "#demo/btcpay/stand-in.ts";
import { signatureOf } from "#demo/btcpay/webhook-request.ts";
import { submit } from "../support/billing/stand-in-site.ts";
import { startReceiver } from "../support/billing/webhook-receiver.ts";

const HOUR = 3_600;
const SETTINGS = { storeId: "s1", apiKey: "key-of-the-test", webhookSecret: "whsec-example" };
const ORDER = "c0ffee00-0000-4000-8000-000000000001";
const REDIRECT = "http://localhost/subscribe/return?checkout={OrderId}&invoice={InvoiceId}";

let site: Awaited<ReturnType<typeof startReceiver>>;
let standIn: BtcpayStandIn;

beforeEach(async () => {
  site = await startReceiver();
  standIn = await startBtcpayStandIn({ settings: SETTINGS, webhookUrl: site.url });
});

afterEach(async () => {
  await standIn.stop();
  await site.stop();
});

async function call(path: string, { body, key = SETTINGS.apiKey }: { body?: object; key?: string } = {}) {
  const answer = await fetch(`${standIn.origin}/api/v1/stores/s1${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `token ${key}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

async function createInvoice(checkout: object = {}): Promise<{ id: string; checkoutLink: string }> {
  const metadata = { orderId: ORDER, buyerEmail: "ada@example.com" };
  const { status, body } = await call("/invoices", {
    body: { amount: "9.99", currency: "EUR", metadata, checkout: { expirationMinutes: 60, ...checkout } },
  });
  expect(status).toBe(200);
  return body;
}

async function stateOf(id: string): Promise<[string, string, string]> {
  const { status, additionalStatus, paidAmount } = (await call(`/invoices/${id}`)).body;
  return [status, additionalStatus, paidAmount];
}

async function received() {
  await standIn.control.idle();
  return site.calls.map(({ body }) => JSON.parse(body));
}

async function typesReceived(): Promise<string[]> {
  return (await received()).map(({ type }) => type.replace("Invoice", ""));
}

test("the signature is the HMAC of the body, and a forged one differs", async () => {
  const example =
    '{"deliveryId":"d1","webhookId":"w1","originalDeliveryId":"d1","isRedelivery":false,"type":"InvoiceSettled","timestamp":1764075600,"storeId":"s1","invoiceId":"i1","metadata":{"orderId":"o1"},"manuallyMarked":false,"overPaid":false}';
  expect(signatureOf(example, "whsec-example")).toBe(
    "sha256=48660b4a1dc3be6c0bef38f6dd7584cf6467af26024e3d179a8f6d71f6a415a1",
  );
  await createInvoice();
  await standIn.control.idle();
  standIn.control.webhooks({ forgedShare: 1 });
  await createInvoice();
  await standIn.control.idle();
  const isGenuine = site.calls.map(
    ({ body, headers }) => headers["btcpay-sig"] === signatureOf(body, "whsec-example"),
  );
  expect(isGenuine).toEqual([true, false]);
});

describe("the API", () => {
  test("finds an invoice by its order, and opens to the store's key only", async () => {
    const created = await createInvoice({ redirectURL: REDIRECT });
    expect(created).toMatchObject({
      storeId: "s1",
      amount: "9.99",
      paidAmount: "0.00",
      currency: "EUR",
      status: "New",
      additionalStatus: "None",
      checkoutLink: `${standIn.origin}/i/${created.id}`,
      metadata: { orderId: ORDER },
    });
    expect((await call(`/invoices?orderId=${ORDER}`)).body).toEqual([created]);
    expect((await call("/invoices?orderId=another")).body).toEqual([]);
    expect((await call("/invoices?status=New&status=Expired")).body).toHaveLength(1);
    expect((await call("/invoices?status=Settled")).body).toEqual([]);
    expect((await call("/invoices", { key: "wrong" })).status).toBe(401);
    expect((await call("/../s2/invoices")).status).toBe(403);
    expect((await call("/invoices/unknown")).status).toBe(404);
    const refused = await call("/invoices", { body: { amount: "free", currency: "EUR" } });
    expect([refused.status, refused.body[0].path]).toEqual([422, "amount"]);
  });

  test("fails as ordered, before or after the effect", async () => {
    standIn.control.failNext({ status: 500, method: "POST" });
    const body = { amount: "9.99", currency: "EUR", metadata: { orderId: ORDER } };
    expect((await call("/invoices", { body })).status).toBe(500);
    expect((await call(`/invoices?orderId=${ORDER}`)).body).toEqual([]);
    standIn.control.failNext({ status: 500, afterEffect: true });
    expect((await call("/invoices", { body })).status).toBe(500);
    expect((await call(`/invoices?orderId=${ORDER}`)).body).toHaveLength(1);
  });

  test("marks an invoice once, which closes its page", async () => {
    const { id, checkoutLink } = await createInvoice();
    const marked = await call(`/invoices/${id}/status`, { body: { status: "Invalid" } });
    expect(marked.body).toMatchObject({ status: "Invalid", additionalStatus: "Marked" });
    expect((await call(`/invoices/${id}/status`, { body: { status: "Invalid" } })).status).toBe(400);
    expect(await (await submit(checkoutLink, { method: "BTC-LN" })).text()).toContain("not valid");
    expect((await received()).at(-1)).toMatchObject({ type: "InvoiceInvalid", manuallyMarked: true });
    await call(`/invoices/${id}/status`, { body: { status: "Settled" } });
    expect(await stateOf(id)).toEqual(["Settled", "Marked", "0.00"]);
  });
});

describe("an invoice", () => {
  test("is settled at once by Lightning, and leads back to the store", async () => {
    const { id, checkoutLink } = await createInvoice({ redirectURL: REDIRECT, redirectAutomatically: true });
    const page = await (await fetch(checkoutLink)).text();
    expect(page).toContain("Due: 9.99 EUR");
    expect(page).not.toContain("<script");
    const paid = await submit(checkoutLink, { method: "BTC-LN" });
    const back = `http://localhost/subscribe/return?checkout=${ORDER}&invoice=${id}`;
    expect(paid.headers.get("location")).toBe(back);
    expect(await stateOf(id)).toEqual(["Settled", "None", "9.99"]);
    await submit(checkoutLink, { method: "BTC-LN" });
    expect(await typesReceived()).toEqual([
      ...["Created", "ReceivedPayment", "Processing", "PaymentSettled", "Settled"],
    ]);
    const [, , , , settled] = await received();
    expect(settled).toMatchObject({ invoiceId: id, metadata: { orderId: ORDER }, overPaid: false });
  });

  test("waits for the chain, and is invalid when that never confirms", async () => {
    const { id, checkoutLink } = await createInvoice();
    await submit(checkoutLink, { method: "BTC-CHAIN" });
    expect(await stateOf(id)).toEqual(["Processing", "None", "9.99"]);
    await standIn.control.advance(600);
    expect(await stateOf(id)).toEqual(["Settled", "None", "9.99"]);
    const other = await createInvoice();
    standIn.control.act("pay", other.id);
    standIn.control.act("stall", other.id);
    await standIn.control.advance(26 * HOUR);
    expect(await stateOf(other.id)).toEqual(["Invalid", "None", "9.99"]);
    expect((await received()).at(-1)).toMatchObject({ type: "InvoiceInvalid", manuallyMarked: false });
  });

  test("paid in part expires, and is paid late by the rest", async () => {
    const { id, checkoutLink } = await createInvoice();
    standIn.control.act("half", id);
    expect(await stateOf(id)).toEqual(["New", "PaidPartial", "5.00"]);
    await standIn.control.advance(HOUR);
    expect(await stateOf(id)).toEqual(["Expired", "PaidPartial", "5.00"]);
    expect(await (await fetch(checkoutLink)).text()).toContain("expired");
    standIn.control.act("pay", id);
    expect(await stateOf(id)).toEqual(["Expired", "PaidLate", "9.99"]);
    await standIn.control.advance(600);
    expect((await call(`/invoices/${id}/payment-methods`)).body[0]).toMatchObject({
      paymentMethodId: "BTC-CHAIN",
      payments: [
        { status: "Settled", value: "0.00010000" },
        { status: "Settled", value: "0.00009980" },
      ],
    });
    expect(await typesReceived()).toEqual([
      ...["Created", "ReceivedPayment", "PaymentSettled", "Expired", "ExpiredPaidPartial"],
      ...["ReceivedPayment", "PaidAfterExpiration", "PaymentSettled"],
    ]);
    const [, first, , expired, , late] = await received();
    expect([first.afterExpiration, expired.partiallyPaid, late.afterExpiration]).toEqual([false, true, true]);
  });

  test("paid too much says so, and money that comes too late is refused", async () => {
    const { id } = await createInvoice();
    standIn.control.act("over", id);
    standIn.control.act("confirm", id);
    expect(await stateOf(id)).toEqual(["Settled", "PaidOver", "10.99"]);
    expect((await received()).at(-1)).toMatchObject({ type: "InvoiceSettled", overPaid: true });
    const { id: other } = await createInvoice();
    await standIn.control.advance(26 * HOUR);
    expect(() => standIn.control.act("pay", other)).toThrow("no longer watches");
    expect(await stateOf(other)).toEqual(["Expired", "None", "0.00"]);
  });
});

describe("the webhooks", () => {
  test("are repeated after ten seconds, a minute and six times ten minutes, as deliveries of their own", async () => {
    const { control } = standIn;
    site.answer(503);
    await createInvoice();
    await control.idle();
    expect(site.calls).toHaveLength(1);
    for (const wait of [10, 60, 600, 600, 600, 600, 600, 600, 600, 600]) {
      await control.advance(wait);
      await control.idle();
    }
    // The invoice expires meanwhile.
    const attempts = (await received()).filter(({ type }) => type === "InvoiceCreated");
    expect(attempts).toHaveLength(9);
    const [first] = attempts;
    expect(attempts.map(({ isRedelivery }) => isRedelivery)).toEqual([false, ...Array(8).fill(true)]);
    for (const each of attempts) expect(each.originalDeliveryId).toBe(first.deliveryId);
    expect(new Set(attempts.map(({ deliveryId }) => deliveryId)).size).toBe(9);
    const waits = attempts.slice(1).map(({ timestamp }, index) => timestamp - attempts[index].timestamp);
    expect(waits.map((wait) => Math.round(wait / 10) * 10)).toEqual([10, 60, ...Array(6).fill(600)]);
  });

  test("are held back, reversed, repeated, lost, and sent again by hand", async () => {
    const { control } = standIn;
    control.webhooks({ mode: "hold" });
    const { id } = await createInvoice();
    control.act("expire", id);
    const [{ id: created } = { id: "" }] = control.heldBack();
    await submit(standIn.origin, { intent: "flush reversed" });
    expect(await typesReceived()).toEqual(["Expired", "Created"]);
    control.webhooks({ mode: "drop" });
    control.act("settle", id);
    expect(await typesReceived()).toHaveLength(2);
    control.webhooks({ repeat: 2 });
    await submit(standIn.origin, { intent: `resend ${created}` });
    const again = (await received()).slice(2);
    expect(again.map(({ originalDeliveryId }) => originalDeliveryId)).toEqual([created, created]);
    expect(again[0].deliveryId).toBe(again[1].deliveryId);
  });

  test("that had not arrived are sent after a restart", async () => {
    const folder = await mkdtemp(join(tmpdir(), "peony-btcpay-"));
    const options = { settings: SETTINGS, webhookUrl: site.url, stateFile: join(folder, "s.json") };
    await standIn.stop();
    standIn = await startBtcpayStandIn(options);
    standIn.control.webhooks({ mode: "hold" });
    const { id } = await createInvoice();
    await standIn.stop();
    standIn = await startBtcpayStandIn(options);
    expect(await typesReceived()).toEqual(["Created"]);
    expect(await stateOf(id)).toEqual(["New", "None", "0.00"]);
    await rm(folder, { recursive: true });
  });
});

test("the control page has a button for everything, and no real site can start the stand-in", async () => {
  const { id } = await createInvoice();
  const page = await (await fetch(standIn.origin)).text();
  for (const intent of ["pay", "half", "over", "confirm", "stall", "expire", "settle", "invalidate"])
    expect(page).toContain(`value="${intent} ${id}"`);
  expect((await submit(standIn.origin, { intent: `settle ${id}` })).status).toBe(303);
  expect((await submit(standIn.origin, { intent: `settle ${id}` })).status).toBe(400);
  const hosted = startBtcpayStandIn({ settings: SETTINGS, appUrl: "https://peony.example" });
  await expect(hosted).rejects.toThrow("APP_URL");
});
