import type { userRole } from "#db/schema/auth.ts";

export type Role = (typeof userRole.enumValues)[number];

export type StaffRight =
  /** Sees and edits items, creators and tags. */
  | "media.edit"
  /** Publishes, schedules, hides, takes down and brings back. */
  | "media.publish"
  /** Watches every item as a subscriber does, drafts included. */
  | "media.seeAll"
  | "media.original"
  /** Performers' records, consents and cases. */
  | "records"
  /** Members, their access and their money. */
  | "people"
  /** Settings, roles, the audit log, and deleting for good. */
  | "site";

/** The only table of who may do what: guards, pages, scripts and the authorization test read it. */
export const RIGHTS: Record<Role, readonly StaffRight[]> = {
  member: [],
  editor: ["media.edit", "media.seeAll"],
  publisher: ["media.edit", "media.publish", "media.seeAll", "media.original"],
  records: ["records"],
  owner: ["media.edit", "media.publish", "media.seeAll", "media.original", "records", "people", "site"],
};

export const ROLES = Object.keys(RIGHTS) as Role[];

export function hasRight({ user }: { user: { role: Role } | null }, right: StaffRight): boolean {
  return user !== null && RIGHTS[user.role].includes(right);
}

/** A person of the staff by email address, or a program by its name, such as "people:role". */
export type Actor = { id: string; name: string; role: Role } | { id: null; name: string; role: "owner" };

export function mayDo(actor: Actor, right: StaffRight): boolean {
  return RIGHTS[actor.role].includes(right);
}

export function rolesWith(right: StaffRight): Role[] {
  return ROLES.filter((role) => RIGHTS[role].includes(right));
}

export function isStaffRole(role: Role): boolean {
  return RIGHTS[role].length > 0;
}
