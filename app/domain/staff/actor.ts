import { RIGHTS, type Role, type StaffRight } from "./rights.ts";

/** A person of the staff by mail address, or a program that a host runs by its name, as "people:role". */
export type Actor = { id: string; name: string; role: Role } | { id: null; name: string; role: "owner" };

export function mayDo(actor: Actor, right: StaffRight): boolean {
  return RIGHTS[actor.role].includes(right);
}
