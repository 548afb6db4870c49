import { config } from "#app/config.server.ts";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { consentText } from "./consent-text.ts";
import { listPlans, type Plan } from "./plans.server.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import { hasHadTrial } from "./trials.server.ts";

export interface OfferedPlan extends Plan {
  /** What has to be agreed to, word for word, and its sha256 in hex. */
  terms: string;
  termsHash: string;
}

/** What can be bought now, with the terms for this person; for nobody in particular those of a newcomer. */
export async function listOffer(
  person: { userId: string; email: string } | null,
  now = new Date(),
): Promise<OfferedPlan[]> {
  if (currentProvider() === null) return [];
  const [plans, isNoNewcomer] = await Promise.all([
    listPlans(),
    person === null ? false : hasHadTrial(person.userId, person.email),
  ]);
  return plans.map((plan) => {
    const own = isNoNewcomer ? { ...plan, trialDays: null } : plan;
    const terms = consentText({ ...own, hasTax: config.billing.hasTax }, now);
    return { ...own, terms, termsHash: hashSecret(terms) };
  });
}
