/** README.md lists them, and the start prints their addresses. */
export const DEMO_PEOPLE = [
  { email: "member@example.com", full_name: "Mira Member", role: "member" },
  { email: "subscriber@example.com", full_name: "Sam Subscriber", role: "member" },
  { email: "editor@example.com", full_name: "Edie Editor", role: "editor" },
  { email: "publisher@example.com", full_name: "Paul Publisher", role: "publisher" },
  { email: "records@example.com", full_name: "Rhea Records", role: "records" },
  { email: "owner@example.com", full_name: "Olive Owner", role: "owner" },
] as const;
