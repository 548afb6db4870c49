import { RIGHTS, type StaffRight } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { PEOPLE, type Person, roleOf, type Target } from "./people.ts";

export interface Row {
  /** The route's id in the manifest. */
  route: string;
  method: "GET" | "POST";
  path: string | ((target: Target) => string);
  body?: (target: Target) => URLSearchParams | FormData | string;
  /** The status, then the redirect's target, then the result of `mark`, which checks the response or its effect. */
  expected: Record<Person, string>;
  mark?: (html: string, target: Target) => string | Promise<string>;
  /** Runs before each request: brings back what an earlier person changed. */
  prepare?: () => Promise<void>;
}

export type Fields = Record<string, string> | ((target: Target) => Record<string, string>);

export function get(route: string, path: Row["path"], expected: Row["expected"]): Row {
  return { route, method: "GET", path, expected };
}

export function post(route: string, path: Row["path"], fields: Fields, expected: Row["expected"]): Row {
  const body = (target: Target) =>
    new URLSearchParams(typeof fields === "function" ? fields(target) : fields);
  return { route, method: "POST", path, body, expected };
}

/** Only "member" changes the target's data; it stays unchanged for everybody else. */
export function marked(row: Row, mark: NonNullable<Row["mark"]>, done: string): Row {
  return markedFor(["member"], row, mark, done);
}

/** Only these people change what `mark` looks at. */
export function markedFor(
  people: readonly Person[],
  row: Row,
  mark: NonNullable<Row["mark"]>,
  done: string,
  kept = "kept",
): Row {
  const expected = PEOPLE.map((person) => [
    person,
    `${row.expected[person]} ${people.includes(person) ? done : kept}`,
  ]);
  return { ...row, mark, expected: Object.fromEntries(expected) };
}

export function all(outcome: string): Record<Person, string> {
  return only(PEOPLE, outcome) as Record<Person, string>;
}

export function only(people: readonly Person[], outcome: string): Partial<Record<Person, string>> {
  return Object.fromEntries(people.map((person) => [person, outcome]));
}

/** `path` is the address to which the gate returns. */
export function adults(path: string, outcome: string): Record<Person, string> {
  return { ...all(outcome), ...only(["nobody", "no age proof"], `302 ${paths.enter(path)}`) };
}

/** The people whose role has the right. */
export function staffWith(right: StaffRight): Person[] {
  return PEOPLE.filter((person) => RIGHTS[roleOf(person)].includes(right));
}

/** For a page of the studio, which does not exist for people without the right. */
export function staff(path: string, right: StaffRight, outcome: string): Record<Person, string> {
  return { ...members(path, "404"), ...only(staffWith(right), outcome) };
}

export function members(path: string, outcome: string): Record<Person, string> {
  return { ...adults(path, outcome), visitor: `302 ${paths.signIn(path)}` };
}
