import { Card } from "@mantine/core";
import { data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { listOutbox } from "#app/domain/mail/outbox.server.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import "#app/ui/theme/mantine.css";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";
import { keepOutboxKey, mayReadOutbox } from "#app/web/session/outbox-access.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Outbox", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  if (!siteFacts.hasOutbox) throw new Response("Not Found", { status: 404 });

  const setCookie = await keepOutboxKey(request);
  if (setCookie !== null) throw redirect(paths.outbox(), { headers: { "Set-Cookie": setCookie } });
  if (!(await mayReadOutbox(request))) return data({ emails: null }, { status: 403 });

  const emails = await listOutbox();
  return { emails: emails.map((email) => ({ ...email, parts: splitLinks(email.text) })) };
}

export default function OutboxPage() {
  const { emails } = useLoaderData<typeof loader>();
  if (emails === null) return <ClosedOutbox />;
  return (
    <div className={styles.column}>
      <h1>Outbox</h1>
      <p>
        The demo's emails, newest first. A real site sends its emails, and this page does not exist there.
      </p>
      {emails.length === 0 && (
        <p>
          Nothing yet. <Link to={paths.signIn()}>Ask for a sign-in link</Link>, then come back here.
        </p>
      )}
      {emails.map((email) => (
        <Card key={email.id} component="article" withBorder padding="lg" className={styles.mail}>
          <h2>{email.subject}</h2>
          <p className={styles.hint}>To {email.to}</p>
          <p>
            {email.parts.map((part) =>
              part.path === null ? (
                part.text
              ) : (
                <a key={part.path} href={part.path}>
                  Open the link
                </a>
              ),
            )}
          </p>
        </Card>
      ))}
    </div>
  );
}

function ClosedOutbox() {
  return (
    <div className={styles.column}>
      <h1>Outbox</h1>
      <p>
        The demo's emails contain everybody's sign-in links, so you can open this page only on the demo's own
        machine, or with a key.
      </p>
      <p>
        When the demo started, it printed an address that ends in <code>/outbox?key=…</code>. For a container,
        look in <code>docker logs</code>. Open that address once in this browser, then come back here.
      </p>
    </div>
  );
}

/** Links to this site become paths, because the demo may be open under another hostname. */
function splitLinks(text: string): { text: string; path: string | null }[] {
  return text.split(/(https?:\/\/\S+)/).map((part) => {
    if (!part.startsWith(`${siteFacts.origin}/`)) return { text: part, path: null };
    const { pathname, search } = new URL(part);
    return { text: part, path: pathname + search };
  });
}
