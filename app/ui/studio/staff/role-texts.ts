import type { Role } from "#app/domain/staff/rights.ts";

interface RoleText {
  label: string;
  /** Worded to follow "made somebody": "made somebody an editor". */
  withArticle: string;
  may: string;
}

/** In the order in which they are offered. */
export const ROLE_TEXTS: Record<Role, RoleText> = {
  editor: {
    label: "Editor",
    withArticle: "an editor",
    may: "sees everything, corrects and prepares items, but cannot publish",
  },
  publisher: {
    label: "Publisher",
    withArticle: "a publisher",
    may: "does what an editor does, and publishes, schedules, hides and takes down",
  },
  records: {
    label: "Records",
    withArticle: "a keeper of records",
    may: "will keep performers' records and consents, whose pages are still to come, and sees no unpublished item",
  },
  owner: {
    label: "Owner",
    withArticle: "an owner",
    may: "can do everything, and decides who works here",
  },
  member: { label: "No role", withArticle: "a member", may: "is a member like everybody else" },
};
