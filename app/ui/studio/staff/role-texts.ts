import type { Role } from "#app/domain/staff/rights.ts";

interface RoleText {
  label: string;
  /** "made somebody an editor" */
  withArticle: string;
  may: string;
}

export const ROLE_TEXTS: Record<Role, RoleText> = {
  editor: {
    label: "Editor",
    withArticle: "an editor",
    may: "sees everything, edits and prepares items, but cannot publish",
  },
  publisher: {
    label: "Publisher",
    withArticle: "a publisher",
    may: "does everything an editor does, and publishes, schedules, hides and takes down items",
  },
  records: {
    label: "Records",
    withArticle: "a records keeper",
    may: "sees no unpublished items, and will keep performers' records and consents once the studio has pages for them",
  },
  owner: {
    label: "Owner",
    withArticle: "an owner",
    may: "can do everything, and decides who works here",
  },
  member: { label: "No role", withArticle: "a member", may: "is a member like everyone else" },
};
