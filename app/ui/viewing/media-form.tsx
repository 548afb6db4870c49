import { Form, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";

interface MediaFormProps {
  action: string;
  mediaId: string;
  /** Where to go afterwards; this page when left out. */
  next?: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A button's worth of form about one work; comes back to the same place with and without JavaScript. */
export function MediaForm({ action, mediaId, next, className, children }: MediaFormProps) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={action} className={className} preventScrollReset>
      <input type="hidden" name="mediaId" value={mediaId} />
      <input type="hidden" name="next" value={next ?? pathname + search} />
      {children}
    </Form>
  );
}
