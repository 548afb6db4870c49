import { randomBytes } from "node:crypto";
import { config } from "#app/config.server.ts";

/** Every secret and all personal data that the test plants, by name. */
export const planted = new Map<string, string>();
const word = (name: string) => plant(name, `zq${randomBytes(6).toString("hex")}`);
const mail = (name: string) => plant(name, `zq${randomBytes(6).toString("hex")}@example.com`);

export const CANARIES = {
  memberMail: mail("a member's address"),
  unknownMail: mail("an unknown address"),
  refusedMail: mail("an address that is refused"),
  fullName: word("a member's name"),
  street: word("a street"),
  title: word("a title"),
  creatorName: word("a creator"),
  description: word("a description"),
  search: word("a search"),
  searchInOutage: word("a search without the database"),
  longSearch: word("a long search"),
  wrongCode: plant("a wrong code", "ZQ7K4M2X"),
  wrongToken: word("a wrong token"),
  signature: word("the signature of a link"),
  sessionCookie: word("a session that is none"),
  otherCookie: word("a cookie of others"),
  userAgent: word("a browser"),
  referrer: word("a referrer"),
  authorization: word("an authorization"),
  forwarded: plant("an address of a visitor", "203.0.113.197"),
  card: plant("a card number", "4242424242424242"),
  webhookSecret: plant("a webhook secret", `whsec_zq${randomBytes(12).toString("hex")}`),
  stripeKey: plant("a key of the provider", `sk_test_zq${randomBytes(12).toString("hex")}`),
  sessionSecret: plant("the session secret", config.session.secret),
  smtpPassword: word("the mail server's password"),
  payload: word("an event's payload"),
  badSignature: word("an event's signature"),
  missingPage: word("a page that is not there"),
  dataParameter: word("the former data parameter"),
  pictureName: word("a picture's name"),
  fileName: word("a file to import"),
  badHost: word("a host"),
  badHeader: word("a header that is none"),
  badMethod: word("a path with a strange method"),
  formField: word("a field that no form has"),
};

export function plant(name: string, value: string): string {
  planted.set(name, value);
  return value;
}

/** The names of the planted values that a text contains in any form. */
export function found(text: string): string[] {
  const searched = text.toLowerCase();
  return [...planted]
    .filter(
      ([, value]) => value !== "" && formsOf(value).some((form) => searched.includes(form.toLowerCase())),
    )
    .map(([name]) => name);
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  // Base64 depends on the preceding bytes, so this takes the middle at each of the three offsets.
  const encoded = [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    return [shifted.toString("base64"), shifted.toString("base64url")].map((text) => text.slice(4, -4));
  });
  return [
    value,
    encodeURIComponent(value),
    encodeURIComponent(encodeURIComponent(value)),
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    bytes.toString("hex"),
    ...encoded.filter((text) => text.length >= 6),
  ];
}
