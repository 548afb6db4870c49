import { config } from "#app/config.server.ts";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { currentProvider } from "../providers/current-provider.server.ts";
import { consentText } from "../rules/consent-text.ts";
import { listPlans } from "./plans.server.ts";
import { hasHadTrial } from "./trials.server.ts";

export type OfferedPlan = Awaited<ReturnType<typeof listOffer>>["plans"][number];

/**
 * Plans on sale with their terms for this person, or for a newcomer when null: the text, word for word, and its sha256
 * in hex. `known` saves reading the time.
 */
export async function listOffer(person: { userId: string; email: string } | null, known?: { now: Date }) {
  const now = known?.now ?? (await readDatabaseTime());
  const [plans, isNoNewcomer] = await Promise.all([
    currentProvider() === null ? [] : listPlans(),
    person === null ? false : hasHadTrial(person.userId, person.email),
  ]);
  const offered = plans.map((plan) => {
    const own = isNoNewcomer ? { ...plan, trialDays: null } : plan;
    const terms = consentText({ ...own, hasTax: config.billing.hasTax }, now);
    return { ...own, terms, termsHash: hashSecret(terms) };
  });
  return { now, plans: offered };
}
