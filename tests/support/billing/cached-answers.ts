import { vi } from "vitest";
import type { BillingProvider } from "#app/domain/billing/providers/contract/provider.ts";

/** The questions that an event causes. */
const READS = [
  "readCheckout",
  "readSubscription",
  "readInvoice",
  "listInvoices",
  "readCustomer",
  "readCharge",
  "readDisputed",
] as const;

/**
 * For a provider where nothing happens any more, except that this process may end a subscription there: each question
 * goes over HTTP once, and every caller gets a copy of the answer.
 */
export function cacheAnswers(provider: BillingProvider): void {
  const answers = new Map<string, Promise<unknown>>();
  for (const name of READS) {
    const ask: (id: string) => Promise<unknown> = provider[name];
    vi.spyOn(provider, name).mockImplementation(async (id) => {
      const question = `${name} ${id}`;
      const answer = answers.get(question) ?? ask(id);
      answers.set(question, answer);
      return structuredClone(await answer) as never;
    });
  }
  const { endNow } = provider;
  vi.spyOn(provider, "endNow").mockImplementation(async (id) => {
    await endNow(id);
    answers.clear();
  });
}
