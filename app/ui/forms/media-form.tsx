import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";

interface MediaFormProps {
  action: string;
  mediaId: string;
  next?: string;
  className?: string | undefined;
  children: ReactNode;
}

/** Returns to the same card with and without JavaScript. */
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
