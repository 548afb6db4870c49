import { paths } from "#app/paths.ts";

/** Of the tab's own storage; "<viewer>:<media>" follows. */
export const UNSENT_PREFIX = "place:";

const OF_ONE = (["start-over", "seen", "hide", "forget"] as const).map(paths.api.viewsAction);
const OF_ALL = [
  paths.api.viewsAction("forget-all"),
  paths.signOut(),
  paths.accountAction("sign-out-everywhere"),
];

/** A place that still waits is older than what the person asks for here, and would undo it when it is sent. */
export function dropPlacesOnRequest(): void {
  document.addEventListener(
    "submit",
    ({ target }) => {
      if (!(target instanceof HTMLFormElement)) return;
      const action = target.getAttribute("action") ?? "";
      if (OF_ALL.includes(action) || isDeletion(target, action)) dropPlaces("");
      if (OF_ONE.includes(action)) dropPlaces(`:${new FormData(target).get("mediaId")}`);
    },
    { capture: true },
  );
}

/** Of the account, ticked: the form shares its address with others. */
function isDeletion(form: HTMLFormElement, action: string): boolean {
  const sent = new FormData(form);
  return action === paths.account() && sent.get("intent") === "delete" && sent.has("confirm");
}

/** A browser that keeps nothing has nothing to drop. */
function dropPlaces(ending: string): void {
  try {
    const keys = Object.keys(sessionStorage).filter(
      (key) => key.startsWith(UNSENT_PREFIX) && key.endsWith(ending),
    );
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {}
}
