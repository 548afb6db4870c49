import { useNavigate, useSubmit } from "@remix-run/react";
import { useEffect } from "react";

/** Follows links and sends forms with `data-client`, with one listener for all of them. */
export function useClientNavigation(): void {
  const navigate = useNavigate();
  const submit = useSubmit();

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-client]");
      if (!link || event.defaultPrevented || opensOtherTab(event)) return;
      event.preventDefault();
      // Following a link to this same page adds no step to go back.
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

function opensOtherTab({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}

function pathOf({ pathname, search, hash }: HTMLAnchorElement): string {
  return pathname + search + hash;
}
