import { expect, test } from "vitest";
import { ACCESSES, type AccessMedia, type AccessViewer, accessTo, type Right } from "./access.ts";

const MEDIA: AccessMedia = { access: "free", allowDownload: true, isLive: true, isTakenDown: false };
const member = { role: "member" } as const;
const PEOPLE = {
  "before the gate": { isAdult: false, user: null, subscription: null },
  visitor: { isAdult: true, user: null, subscription: null },
  member: { isAdult: true, user: member, subscription: null },
  subscriber: { isAdult: true, user: member, subscription: { state: "running" } },
  canceled: { isAdult: true, user: member, subscription: { state: "ending" } },
  "paid beforehand": { isAdult: true, user: member, subscription: { state: "prepaid" } },
  uncollected: { isAdult: true, user: member, subscription: { state: "uncollected" } },
  "not renewed": { isAdult: true, user: member, subscription: { state: "unrenewed" } },
  overdue: { isAdult: true, user: member, subscription: { state: "overdue" } },
  "in grace": { isAdult: true, user: member, subscription: { state: "grace" } },
  unknown: { isAdult: true, user: member, subscription: { state: "unknown" } },
  ended: { isAdult: true, user: member, subscription: { state: "ended" } },
  editor: { isAdult: true, user: { role: "editor" }, subscription: null },
  publisher: { isAdult: true, user: { role: "publisher" }, subscription: null },
  owner: { isAdult: true, user: { role: "owner" }, subscription: null },
  "keeper of records": { isAdult: true, user: { role: "records" }, subscription: null },
} satisfies Record<string, AccessViewer>;
type Person = keyof typeof PEOPLE;

const VIEW: Record<Person, [string, string, string]> = {
  "before the gate": ["gate", "gate", "gate"],
  visitor: ["yes", "signedOut", "signedOut"],
  member: ["yes", "yes", "noRight"],
  subscriber: ["yes", "yes", "yes"],
  canceled: ["yes", "yes", "yes"],
  "paid beforehand": ["yes", "yes", "yes"],
  uncollected: ["yes", "yes", "yes"],
  "not renewed": ["yes", "yes", "noRight"],
  overdue: ["yes", "yes", "noRight"],
  "in grace": ["yes", "yes", "yes"],
  unknown: ["yes", "yes", "yes"],
  ended: ["yes", "yes", "noRight"],
  editor: ["yes", "yes", "yes"],
  publisher: ["yes", "yes", "yes"],
  owner: ["yes", "yes", "yes"],
  "keeper of records": ["yes", "yes", "noRight"],
};

function decide(person: Person, facts: Partial<AccessMedia>, right: Right): string {
  const decision = accessTo(PEOPLE[person], { ...MEDIA, ...facts }, right);
  return decision.allowed ? "yes" : decision.reason;
}

const people = Object.keys(PEOPLE) as Person[];

test.each(people)("%s may view these media, and download where the media allow it", (person) => {
  expect(ACCESSES.map((access) => decide(person, { access }, "view"))).toEqual(VIEW[person]);
  expect(ACCESSES.map((access) => decide(person, { access }, "download"))).toEqual(VIEW[person]);
  const withoutDownload = ACCESSES.map((access) =>
    decide(person, { access, allowDownload: false }, "download"),
  );
  expect(withoutDownload).toEqual(VIEW[person].map((answer) => (answer === "yes" ? "noRight" : answer)));
});

test.each(people)("%s sees and previews published media, and only those who see all the rest", (person) => {
  const open = person === "before the gate" ? "gate" : "yes";
  const maySeeAll = ["editor", "publisher", "owner"].includes(person);
  const staffOnly = (reason: string) => (open === "gate" ? "gate" : maySeeAll ? "yes" : reason);
  for (const right of ["see", "preview"] as const) {
    for (const access of ACCESSES) {
      expect(decide(person, { access }, right)).toBe(open);
      expect(decide(person, { access, isLive: false }, right)).toBe(staffOnly("hidden"));
      const gone = { access, isLive: false, isTakenDown: true };
      expect(decide(person, gone, right)).toBe(open === "gate" ? "gate" : "gone");
    }
  }
});

test.each(people)("with a link to a draft, %s sees and watches it as a subscriber does", (person) => {
  const open = person === "before the gate" ? "gate" : "yes";
  for (const access of ACCESSES) {
    const draft = { access, isLive: false, isOpenByDraftLink: true };
    for (const right of ["see", "preview", "view", "download"] as const) {
      expect(decide(person, draft, right)).toBe(open);
    }
    const withoutDownload = decide(person, { ...draft, allowDownload: false }, "download");
    expect(withoutDownload).toBe(open === "gate" ? "gate" : "noRight");
    expect(decide(person, { ...draft, isTakenDown: true }, "see")).toBe(open === "gate" ? "gate" : "gone");
  }
});
