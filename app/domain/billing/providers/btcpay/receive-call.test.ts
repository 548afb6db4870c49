import { expect, test } from "vitest";
import type { ProviderCall } from "../contract/events.ts";
import { receiveBtcpayCall, signatureOf } from "./receive-call.ts";

const SETTINGS = { url: "https://pay.example", storeId: "s1", apiKey: "k", webhookSecret: "whsec-example" };
const BODY =
  '{"deliveryId":"d1","webhookId":"w1","originalDeliveryId":"d1","isRedelivery":false,"type":"InvoiceSettled","timestamp":1764075600,"storeId":"s1","invoiceId":"i1","metadata":{"orderId":"o1"},"manuallyMarked":false,"overPaid":false}';
const SIGNATURE = "sha256=48660b4a1dc3be6c0bef38f6dd7584cf6467af26024e3d179a8f6d71f6a415a1";
const ORDER = "c0ffee00-0000-4000-8000-000000000001";

function receive(body: string, signature: string | null = signatureOf(body, SETTINGS.webhookSecret)) {
  const headers = new Headers(signature === null ? {} : { "BTCPay-Sig": signature });
  const url = new URL("https://peony.example/api/billing/webhook/btcpay");
  const call: ProviderCall = { method: "POST", url, headers, body, from: "", token: null, at: new Date() };
  return receiveBtcpayCall(call, SETTINGS);
}

const eventOf = (more: object) => {
  const received = receive(JSON.stringify({ ...JSON.parse(BODY), ...more }));
  if ("refused" in received) throw new Error(received.refused);
  expect(received.facts).toEqual([]);
  return received.event;
};

test("the signature is that of the exact body", () => {
  expect(signatureOf(BODY, SETTINGS.webhookSecret)).toBe(SIGNATURE);
  expect(receive(BODY, SIGNATURE)).toMatchObject({
    event: { id: "btcpay:event:d1", type: "InvoiceSettled" },
  });
  for (const [body, signature] of [
    [BODY, null],
    [BODY, ""],
    [BODY, SIGNATURE.slice("sha256=".length)],
    [BODY, SIGNATURE.toUpperCase()],
    [BODY, signatureOf(BODY, "another")],
    [`${BODY} `, SIGNATURE],
    [BODY.replace("i1", "i2"), SIGNATURE],
  ] as const)
    expect([body, signature, receive(body, signature)]).toEqual([body, signature, { refused: "signature" }]);
});

test("an event names its purchase, and a redelivery is the same event", () => {
  const metadata = { orderId: ORDER };
  const event = eventOf({ metadata });
  expect(event).toMatchObject({
    subject: { kind: "checkout", id: ORDER },
    createdAt: new Date("2025-11-25T13:00:00Z"),
    isUnknown: false,
  });
  expect(eventOf({ metadata, deliveryId: "d2", isRedelivery: true }).id).toBe(event.id);
  expect(eventOf({ metadata, type: "InvoicePaidAfterExpiration" }).subject).toEqual(event.subject);
});

test("what is not about a purchase here has no subject", () => {
  for (const more of [
    {},
    { metadata: null },
    { metadata: {} },
    { metadata: { orderId: 17 } },
    { type: "InvoiceCreated", metadata: { orderId: ORDER } },
  ])
    expect([more, eventOf(more).subject]).toEqual([more, null]);
  for (const [type, isUnknown] of [
    ["PayoutCreated", false],
    ["constructor", false],
    ["InvoiceEvaporated", true],
  ] as const)
    expect(eventOf({ type, metadata: { orderId: ORDER } })).toMatchObject({ isUnknown, subject: null });
});

test("another store and what is no event are refused", () => {
  for (const storeId of ["s2", undefined])
    expect(receive(JSON.stringify({ ...JSON.parse(BODY), storeId }))).toEqual({ refused: "account" });
  for (const body of ["", "[]", "{", '{"type":"InvoiceSettled"}', BODY.replace("InvoiceSettled", "a b")])
    expect([body, receive(body)]).toEqual([body, { refused: "form" }]);
});
