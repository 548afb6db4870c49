import { randomBytes } from "node:crypto";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { count } from "#app/counts.ts";
import { addDays, formatDate } from "#app/dates.ts";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { AGE_PROOF_DAYS } from "#app/domain/auth/known-browsers.server.ts";
import {
  IS_OPEN_SESSION,
  SESSION_CAP_DAYS,
  SESSION_LIFETIME_SECONDS,
} from "#app/domain/auth/sessions.server.ts";
import { IS_OPEN, SIGN_IN_LIFETIME } from "#app/domain/auth/sign-in-requests.server.ts";
import { isSecretBeingReplaced } from "#app/domain/keys/keys.server.ts";
import { readStoredKey } from "#app/domain/keys/stored-key.server.ts";
import { closeDatabase, db } from "#db/client.server.ts";
import { number, readOne } from "#db/rows.ts";

const SECRET_BYTES = 32;
/** The longest that visitors would miss. */
const WAIT_DAYS = AGE_PROOF_DAYS;

const LIFETIMES = [
  "What SESSION_SECRET signs, and how long each is valid:",
  `  an emailed sign-in link or code   ${SIGN_IN_LIFETIME}`,
  `  a session's cookie                ${SESSION_LIFETIME_SECONDS / 3600} hours; using the site renews it, up to ${SESSION_CAP_DAYS} days after signing in`,
  `  the proof of age                  ${WAIT_DAYS} days`,
  "  a browser's id                    a year; passing the age gate or signing in renews it",
  "  light or dark mode                a year",
  "  cancellation links in emails      as long as the subscription; the account page works without one",
];

/** Prints no secret but a fresh one. Returns the exit code. */
export async function printRotation(): Promise<number> {
  try {
    const isReplacing = isSecretBeingReplaced();
    const problem = await findTrialKeyProblem(isReplacing);
    console.log(isReplacing ? "SESSION_SECRET has two values: it is being replaced." : oneValue());
    console.log(problem ?? "The key for free trials is in the database, and the newest value decrypts it.");
    console.log(`\n${LIFETIMES.join("\n")}\n`);
    console.log((isReplacing ? await secondHalf() : firstHalf()).join("\n"));
    return problem === null ? 0 : 1;
  } finally {
    await closeDatabase();
  }
}

function oneValue(): string {
  return config.isDemo
    ? "This is a demo: its secret is SESSION_SECRET or, if that is empty, the file session-secret in DATA_DIR."
    : "SESSION_SECRET has one value.";
}

async function findTrialKeyProblem(isReplacing: boolean): Promise<string | null> {
  const { value, key, isByFirst } = await readStoredKey("trial-key");
  if (value === null) return "FIX: the database has no key for free trials yet. Start the site once.";
  if (key === null) {
    return "FIX: no value of SESSION_SECRET decrypts the key for free trials. Add the previous value (new,old). Until then, people who have had a trial can get another one.";
  }
  return isReplacing && !isByFirst
    ? "FIX: only the old value decrypts the key for free trials. Start the site once with both."
    : null;
}

function firstHalf(): string[] {
  return [
    "To replace it:",
    "1. Copy this new secret, which is shown only here:",
    `     ${randomBytes(SECRET_BYTES).toString("hex")}`,
    "2. Set SESSION_SECRET to the new secret, a comma and the present one, without spaces: new,present",
    "3. Restart the site. Nobody is signed out.",
    `4. Wait ${WAIT_DAYS} days. If you restart it today, wait until ${formatDate(addDays(new Date(), WAIT_DAYS))}.`,
    "5. Run npm run secrets:rotate again. If it finds no problem, set SESSION_SECRET to the new secret alone.",
    "6. Restart the site.",
    "If somebody else knows the present secret, do not wait: start once with both, then with the new one alone. This signs everybody out.",
  ];
}

async function secondHalf(): Promise<string[]> {
  const { requests, sessions, subscriptions } = await countSigned();
  return [
    `Remove the old value (after the comma) ${WAIT_DAYS} days after the restart with both: if that was today, on ${formatDate(addDays(new Date(), WAIT_DAYS))}.`,
    "Removing it now would break at most",
    `  ${count(requests, "open sign-in request")}, which would have to be made again,`,
    `  ${count(sessions, "session")} (those not used since the restart),`,
    `  the links in earlier emails about ${count(subscriptions, "running subscription")}.`,
    "Browsers that have not visited since the restart would be asked for their age again, and would count as new devices.",
  ];
}

const SignedCounts = z.object({ requests: number, sessions: number, subscriptions: number });

function countSigned() {
  return readOne(db, SignedCounts)`SELECT
    (SELECT count(*)::int FROM signin_tokens WHERE ${IS_OPEN}) AS requests,
    (SELECT count(*)::int FROM sessions WHERE ${IS_OPEN_SESSION}) AS sessions,
    (SELECT count(*)::int FROM subscriptions WHERE status NOT IN ${ENDED_STATUSES}) AS subscriptions`;
}
