import { wholeList } from "../http/lists.ts";
import { type Account, copyOf } from "../state/account.ts";
import { invalid } from "../state/fault.ts";

/** Returns the response with ids replaced by the requested objects. */
export function expand(account: Account, answer: object, paths: string[]): object {
  const copy: object = copyOf(answer);
  for (const path of paths) fillIn(account, copy, path.split("."), path);
  return copy;
}

function fillIn(account: Account, at: unknown, [key, ...rest]: string[], path: string): void {
  if (key === undefined || at === null || at === undefined) return;
  if (Array.isArray(at)) {
    for (const part of at) fillIn(account, part, [key, ...rest], path);
    return;
  }
  if (typeof at !== "object") throw notExpandable(path);
  // A deleted object has only its id, so there is nothing to expand.
  if (Reflect.get(at, "deleted") === true) return;
  const value = Reflect.get(at, key) ?? partOf(account, at, key);
  if (value === undefined) throw notExpandable(path);
  const filled = Array.isArray(value)
    ? value.map((one) => objectOf(account, one, path))
    : objectOf(account, value, path);
  Reflect.set(at, key, filled);
  fillIn(account, filled, rest, path);
}

function objectOf(account: Account, value: unknown, path: string): unknown {
  if (typeof value !== "string") return value;
  const found = account.find(value);
  if (!found) throw notExpandable(path);
  return copyOf(found);
}

/** A part that an object omits unless it is requested. */
function partOf(account: Account, parent: object, key: string): unknown {
  const { state } = account;
  const { object, id } = parent as { object?: string; id?: string };
  if (object === undefined || id === undefined) return Reflect.get(parent, key);
  if (object === "checkout.session" && key === "line_items") {
    return copyOf(wholeList(`/v1/checkout/sessions/${id}/line_items`, state.purchases[id]?.lines ?? []));
  }
  if (object === "invoice" && key === "payments") {
    const payments = Object.values(state.invoicePayments).filter(({ invoice }) => invoice === id);
    return copyOf(wholeList(`/v1/invoice_payments?invoice=${id}`, payments));
  }
  if (object === "charge" && key === "refunds") {
    const refunds = Object.values(state.refunds).filter(({ charge }) => charge === id);
    return copyOf(wholeList(`/v1/charges/${id}/refunds`, refunds));
  }
  if (object === "customer" && key === "subscriptions") {
    const subscriptions = Object.values(state.subscriptions).filter(({ customer }) => customer === id);
    return copyOf(wholeList(`/v1/customers/${id}/subscriptions`, subscriptions));
  }
  return Reflect.get(parent, key);
}

function notExpandable(path: string): Error {
  return invalid(`This property cannot be expanded (${path}).`, "expand");
}
