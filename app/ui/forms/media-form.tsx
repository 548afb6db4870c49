import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";

interface MediaFormProps {
  action: string;
  mediaId: string;
  /** The path to return to; this page when left out. */
  next?: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A one-button form about one media item. It returns to the same card with and without JavaScript. */
export function MediaForm({ action, mediaId, next, className, children }: MediaFormProps) {
  const { pathname, search } = useLocation();
  return (
    <form method="post" action={action} className={className} data-client="">
      <input type="hidden" name="mediaId" value={mediaId} />
      <input type="hidden" name="next" value={next ?? pathname + search} />
      {children}
    </form>
  );
}
