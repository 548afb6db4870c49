import { Button, TextInput } from "@mantine/core";
import { Form } from "@remix-run/react";
import { useState } from "react";
import { useBroughtIntoView } from "#app/ui/forms/brought-into-view.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import "#app/ui/theme/mantine.css";
import type { OverviewAnswer } from "#app/web/forms/overview-form.server.ts";
import type { FormGroupAnswer } from "#app/web/studio/form-group.server.ts";
import { FormGroup } from "./form-group.tsx";
import styles from "./item.module.css";

interface DraftLinksSectionProps {
  action: string;
  links: { id: string; maker: string | null; made: string; expires: string }[];
  lifetime: string;
  notice: string | null;
  answer: FormGroupAnswer<OverviewAnswer> | undefined;
}

export function DraftLinksSection({ action, links, lifetime, notice, answer }: DraftLinksSectionProps) {
  const made = answer?.sent?.madeLink;
  const shown = useBroughtIntoView<HTMLDivElement>(made != null);
  return (
    <FormGroup
      id="draftLinks"
      title="Draft links"
      about={
        <p>
          Anyone with a draft link sees the page and its files as a subscriber does, without an account, for{" "}
          {lifetime}. The age gate still comes first.
        </p>
      }
      notice={notice}
      answer={answer}
    >
      {made && (
        <div ref={shown} className={styles.made} role="status">
          <TextInput
            id="draft-link"
            label="The new link"
            description={`Copy it now. It is shown only once. It works until ${made.expires}.`}
            value={made.url}
            readOnly
            size="md"
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton text={made.url} />
        </div>
      )}
      {links.length > 0 && (
        <ul className={styles.lines}>
          {links.map(({ id, maker, made: since, expires }) => (
            <li key={id}>
              <div>
                <p>Works until {expires}</p>
                <p className={styles.muted}>
                  Created {since}
                  {maker === null ? "" : ` by ${maker}`}
                </p>
              </div>
              <Form method="post" action={`${action}#draftLinks`} preventScrollReset>
                <input type="hidden" name="link" value={id} />
                <Button type="submit" name="intent" value="revokeLink" variant="default">
                  Revoke <VisuallyHidden>the link created {since}</VisuallyHidden>
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Form method="post" action={`${action}#draftLinks`}>
        <input type="hidden" name="intent" value="makeLink" />
        <SubmitButton
          variant="default"
          busyLabel="Creating a link …"
          isOurs={(sent) => sent.get("intent") === "makeLink"}
        >
          Create a draft link
        </SubmitButton>
      </Form>
    </FormGroup>
  );
}

function CopyButton({ text }: { text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => setIsCopied(true));
  return (
    <Button type="button" variant="default" className={styles.needsScript} onClick={copy}>
      {isCopied ? "Copied" : "Copy"}
    </Button>
  );
}
