import { Problem } from "../../stand-in/problem.ts";

/** A response other than 2xx, in Stripe's words. */
export class Fault extends Problem {
  readonly error: Record<string, unknown> & { type: string; message: string };

  constructor(status: number, error: Record<string, unknown> & { type: string; message: string }) {
    super(status, error.message);
    this.error = error;
  }
}

/** 404 when the path named it, 400 when a parameter did. */
export function missing(kind: string, id: string, param?: string): Fault {
  return new Fault(param === undefined ? 404 : 400, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param: param ?? "id",
  });
}

export function invalid(message: string, param?: string, code?: string): Fault {
  return new Fault(400, { type: "invalid_request_error", message, param, code });
}

export function declined(details: { code: string; declineCode?: string; message: string }): Fault {
  const { code, declineCode, message } = details;
  return new Fault(402, { type: "card_error", code, decline_code: declineCode, message });
}
