import { setTimeout as sleep } from "node:timers/promises";
import Stripe from "stripe";

const WAIT_MS = 500;
const GIVE_UP_AFTER_MS = 8_000;

/**
 * Asks again while another process asks the very same under the same key and has no answer yet: what comes of that is the
 * answer to this as well. The SDK does so twice by itself, within two seconds.
 */
export async function whenKeyIsFree<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const end = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isKeyInUse(error) || Date.now() > end) throw error;
    }
    await sleep(WAIT_MS);
  }
}

function isKeyInUse(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === "idempotency_key_in_use";
}
