import { config } from "#app/config.server.ts";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { currentProvider } from "../providers/current-provider.server.ts";
import { consentText } from "../rules/consent-text.ts";
import { listPlans, type Plan } from "./plans.server.ts";
import { hasHadTrial } from "./trials.server.ts";

export interface OfferedPlan extends Plan {
  /** The terms to accept, word for word, and their sha256 in hex. */
  terms: string;
  termsHash: string;
}

export interface Offer {
  now: Date;
  plans: OfferedPlan[];
}

/** Plans on sale with their terms for this person, or for a newcomer when null. `known` saves reading the time. */
export async function listOffer(
  person: { userId: string; email: string } | null,
  known?: { now: Date },
): Promise<Offer> {
  const now = known?.now ?? (await readDatabaseTime());
  if (currentProvider() === null) return { now, plans: [] };
  const [plans, isNoNewcomer] = await Promise.all([
    listPlans(),
    person === null ? false : hasHadTrial(person.userId, person.email),
  ]);
  const offered = plans.map((plan) => {
    const own = isNoNewcomer ? { ...plan, trialDays: null } : plan;
    const terms = consentText({ ...own, hasTax: config.billing.hasTax }, now);
    return { ...own, terms, termsHash: hashSecret(terms) };
  });
  return { now, plans: offered };
}
