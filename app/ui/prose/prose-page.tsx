import { useLoaderData } from "@remix-run/react";
import { Page } from "#app/ui/page.tsx";
import type { Prose } from "./prose.ts";
import { ProseView } from "./prose-view.tsx";

/** The page of a route whose loader gives nothing but prose. */
export function ProsePage() {
  const { prose } = useLoaderData<{ prose: Prose[] }>();
  return (
    <Page narrow>
      <ProseView prose={prose} />
    </Page>
  );
}
