import { Button, Stack, TextInput } from "@mantine/core";
import { Form } from "@remix-run/react";
import { useState } from "react";
import { AnotherCodeButton, CodeField, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { FormCode } from "./form-code.tsx";
import styles from "./item.module.css";

interface DraftLinksSectionProps {
  action: string;
  made: { url: string; expires: string } | undefined;
  links: { id: string; maker: string | null; made: string; expires: string }[];
  lifetime: string;
  isRevoked: boolean;
  /** For a form that was sent with a sign-in too old for it; `link` is null for a new link. */
  code: { link: string | null; request: RequestedCode } | undefined;
  hasOutbox: boolean;
}

export function DraftLinksSection(props: DraftLinksSectionProps) {
  const { action, made, links, lifetime, isRevoked, code, hasOutbox } = props;
  const codeFor = (link: string | null) => (code?.link === link ? code.request : null);
  const newCode = codeFor(null);
  return (
    <FormSection
      id="draftLinks"
      title="Draft links"
      about={
        <p>
          Anyone with a draft link sees the page and its files as a subscriber does, without an account, for{" "}
          {lifetime}. The age gate still comes first.
        </p>
      }
      done={isRevoked ? "The link is revoked. It no longer works." : undefined}
    >
      {made !== undefined && (
        <div className={styles.made} role="status">
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
              <Form method="post" action={action}>
                <input type="hidden" name="section" value="draftLinks" />
                <input type="hidden" name="link" value={id} />
                <Stack gap="md">
                  <FormCode code={codeFor(id)} intent="revoke" hasOutbox={hasOutbox} />
                  <Button type="submit" name="intent" value="revoke" variant="default">
                    Revoke <VisuallyHidden>the link created {since}</VisuallyHidden>
                  </Button>
                  {codeFor(id) !== null && <AnotherCodeButton />}
                </Stack>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Form method="post" action={`${action}#draftLinks`}>
        <input type="hidden" name="section" value="draftLinks" />
        <Stack gap="md" align="flex-start">
          {newCode !== null && <CodeField code={newCode} hasOutbox={hasOutbox} />}
          <SubmitButton
            variant="default"
            busyLabel="Creating a link …"
            isOurs={(sent) => sent.get("section") === "draftLinks" && !sent.has("intent")}
          >
            Create a draft link
          </SubmitButton>
          {newCode !== null && <AnotherCodeButton />}
        </Stack>
      </Form>
    </FormSection>
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
