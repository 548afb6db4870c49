import { useNavigate, useSubmit } from "@remix-run/react";
import { useEffect } from "react";
import { opensOtherTab } from "./modifier-keys.ts";

/** One listener for links within a page, and for links and forms with `data-client`. */
export function useClientNavigation(): void {
  const navigate = useNavigate();
  const submit = useSubmit();

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-client], a[href^="#"]');
      if (!link || event.defaultPrevented || opensOtherTab(event)) return;
      if (link.matches('[href^="#"]')) return goWithinPage(event, link.hash);
      event.preventDefault();
      // A link to the same page adds no step to go back.
      navigate(pathOf(link), { replace: link.href === window.location.href });
    };
    const send = (event: SubmitEvent) => {
      const form = event.target as HTMLFormElement;
      if (!form.matches("form[data-client]") || event.defaultPrevented) return;
      event.preventDefault();
      submit(event.submitter instanceof HTMLButtonElement ? event.submitter : form, {
        preventScrollReset: true,
      });
    };
    document.addEventListener("click", follow, { signal });
    document.addEventListener("submit", send, { signal });
    return () => listening.abort();
  }, [navigate, submit]);
}

/** The router would take this for a navigation, forget the answer to the last form, and scroll elsewhere. */
function goWithinPage(event: MouseEvent, hash: string): void {
  const target = document.getElementById(hash.slice(1));
  if (!target) return;
  event.preventDefault();
  window.history.replaceState(window.history.state, "", hash);
  const folded = target.closest("details");
  if (folded) folded.open = true;
  target.scrollIntoView();
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

function pathOf({ pathname, search, hash }: HTMLAnchorElement): string {
  return pathname + search + hash;
}
