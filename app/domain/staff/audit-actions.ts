/** app/ui/studio/audit/audit-texts.ts has the words for each. */
export const AUDIT_ACTIONS = [
  "media.imported",
  "media.edited",
  "media.remade",
  "media.published",
  "media.scheduled",
  "media.madeDraft",
  "media.hidden",
  "media.shown",
  "media.takenDown",
  "media.broughtBack",
  "media.deleted",
  "media.coverChanged",
  "media.captionsSaved",
  "media.captionsRenamed",
  "media.captionsRemoved",
  "media.photoAdded",
  "media.photoReplaced",
  "media.photoLeftOut",
  "media.photoBroughtBack",
  "media.photosReordered",
  "media.trailerChanged",
  "media.trailerRemoved",
  "original.fetched",
  "encoding.retried",
  "encoding.cancelled",
  "encoding.queued",
  "draftLink.made",
  "draftLink.revoked",
  "bulk.confirmed",
  "bulk.stopped",
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
  "price.added",
  "price.ended",
  "renewals.ended",
  "sale.linked",
  "site.edited",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export type AuditSubject =
  | "media"
  | "user"
  | "bulkChange"
  | "creator"
  | "tag"
  | "site"
  | "price"
  | "provider";
