import { describe, expect } from "vitest";
import { testShop as test } from "../support/billing/stand-in-site.ts";

describe("events", () => {
  test("carry previous values, are signed, and are repeated until accepted", async ({ receiver, shop }) => {
    const { stripe, standIn, customer } = shop;
    await standIn.control.idle();
    standIn.control.webhooks({ retryMs: 1 });
    receiver.failNext(2);
    await stripe.customers.update(customer.id, { name: "Ada" });
    await standIn.control.idle();
    expect(receiver.events.at(-1)).toMatchObject({
      type: "customer.updated",
      data: { object: { name: "Ada" }, previous_attributes: { name: null } },
    });
    expect(receiver.refused).toEqual([]);
  });

  test("are dropped, delayed, reordered and repeated on request", async ({ receiver, shop }) => {
    const { stripe, standIn, customer } = shop;
    const { control } = standIn;
    await control.idle();
    receiver.events.length = 0;
    const rename = (name: string) => stripe.customers.update(customer.id, { name });
    const names = () => receiver.events.map(({ data }) => Reflect.get(data.object, "name"));

    control.webhooks({ mode: "drop" });
    await rename("lost");
    control.webhooks({ mode: "hold" });
    for (const name of ["a", "b", "c"]) await rename(name);
    await control.idle();
    expect(names()).toEqual([]);
    for (const index of [2, 0, 0]) {
      control.flush({ order: [index] });
      await control.idle();
    }
    expect(names()).toEqual(["c", "a", "b"]);

    receiver.events.length = 0;
    control.webhooks({ repeat: 20, shuffle: true });
    await rename("often");
    await control.idle();
    expect(names()).toEqual(Array.from({ length: 20 }, () => "often"));
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(1);
  });

  test("are sent on request, even of kinds that nothing here causes", async ({ receiver, shop }) => {
    const { standIn, buy } = shop;
    const session = await buy();
    standIn.control.emit("checkout.session.async_payment_failed", session.id);
    await standIn.control.idle();
    expect(receiver.events.at(-1)).toMatchObject({
      type: "checkout.session.async_payment_failed",
      data: { object: { id: session.id } },
    });
  });

  test("with a wrong signature are recognized", async ({ receiver, shop }) => {
    const { stripe, standIn, customer } = shop;
    await standIn.control.idle();
    receiver.events.length = 0;
    standIn.control.webhooks({ badSignatureShare: 1, retryMs: 1 });
    await stripe.customers.update(customer.id, { name: "Eve" });
    await standIn.control.idle();
    expect(receiver.events).toEqual([]);
    expect(receiver.refused.length).toBeGreaterThan(1);
  });
});
