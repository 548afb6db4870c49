/** Everything that the audit log knows. app/ui/studio/audit/audit-texts.ts has the words for each. */
export const AUDIT_ACTIONS = [
  "media.imported",
  "media.edited",
  "media.published",
  "media.scheduled",
  "media.madeDraft",
  "media.hidden",
  "media.shown",
  "media.takenDown",
  "media.broughtBack",
  "media.deleted",
  "media.photoLeftOut",
  "media.photoBroughtBack",
  "media.photosReordered",
  "original.fetched",
  "draftLink.made",
  "draftLink.revoked",
  "bulk.confirmed",
  "creator.created",
  "creator.edited",
  "creator.portraitChanged",
  "creator.portraitRemoved",
  "creator.merged",
  "creator.deleted",
  "tag.renamed",
  "tag.merged",
  "tag.deleted",
  "role.changed",
  "site.edited",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export type AuditSubject = "media" | "user" | "bulkChange" | "creator" | "tag" | "site";
