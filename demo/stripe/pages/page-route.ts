import type { PageRoute } from "../../stand-in/page.ts";
import type { Account } from "../state/account.ts";
import type { Control } from "../subscriptions/control.ts";

export interface Visit {
  account: Account;
  control: Control;
  id: string;
  /** The form's fields; empty for GET. */
  form: URLSearchParams;
}

export type StripePageRoute = PageRoute<Visit>;
