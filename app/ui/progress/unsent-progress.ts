import { paths } from "#app/paths.ts";

/** "<viewer>:<media>" follows. */
export const UNSENT_PREFIX = "progress:";

const ITEM_ACTIONS = (["start-over", "seen", "hide", "forget"] as const).map(paths.api.viewsAction);
const ALL_ACTIONS = [
  paths.api.viewsAction("forget-all"),
  paths.signOut(),
  paths.accountAction("sign-out-everywhere"),
];

/** Unsent progress is older than these requests and would undo them. */
export function dropUnsentOnRequest(): void {
  document.addEventListener(
    "submit",
    ({ target }) => {
      if (!(target instanceof HTMLFormElement)) return;
      const action = target.getAttribute("action") ?? "";
      if (ALL_ACTIONS.includes(action) || isDeletion(target, action)) dropUnsent("");
      if (ITEM_ACTIONS.includes(action)) dropUnsent(`:${new FormData(target).get("mediaId")}`);
    },
    { capture: true },
  );
}

/** Other forms share the account's address. */
function isDeletion(form: HTMLFormElement, action: string): boolean {
  const sent = new FormData(form);
  return action === paths.account() && sent.get("intent") === "delete" && sent.has("confirm");
}

function dropUnsent(ending: string): void {
  try {
    const keys = Object.keys(sessionStorage).filter(
      (key) => key.startsWith(UNSENT_PREFIX) && key.endsWith(ending),
    );
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {}
}
