import type { Actor } from "#app/domain/staff/rights.ts";
import type { ItemForm } from "./item-upload.server.ts";

/** A form of an item's page, from somebody who may edit. */
export interface SentForm extends ItemForm {
  actor: Actor;
  id: string;
}
