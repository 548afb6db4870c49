import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { listOutbox } from "#app/domain/mail/outbox.server.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import { anyone } from "#app/web/guards.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { siteFacts } from "#app/web/site-facts.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Outbox", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  if (!siteFacts.hasOutbox) throw new Response("Not Found", { status: 404 });

  const mails = await listOutbox();
  return { mails: mails.map((mail) => ({ ...mail, parts: splitLinks(mail.text) })) };
}

export default function OutboxPage() {
  const { mails } = useLoaderData<typeof loader>();
  return (
    <div className={styles.column}>
      <h1>Outbox</h1>
      <p>
        The demo's mails, newest first. On a real site they go to their readers and this page does not exist.
      </p>
      {mails.length === 0 && (
        <p>
          Nothing yet. <Link to={paths.signIn()}>Ask for a sign-in link</Link>, then come back here.
        </p>
      )}
      {mails.map((mail) => (
        <article key={mail.id} className={styles.letter}>
          <h2>{mail.subject}</h2>
          <p className={styles.hint}>To {mail.to}</p>
          <p>
            {mail.parts.map((part) =>
              part.path === null ? (
                part.text
              ) : (
                <a key={part.path} href={part.path}>
                  Open the link
                </a>
              ),
            )}
          </p>
        </article>
      ))}
    </div>
  );
}

/** Links to this site become paths: the demo may be open under another of its names. */
function splitLinks(text: string): { text: string; path: string | null }[] {
  return text.split(/(https?:\/\/\S+)/).map((part) => {
    if (!part.startsWith(`${siteFacts.origin}/`)) return { text: part, path: null };
    const { pathname, search } = new URL(part);
    return { text: part, path: pathname + search };
  });
}
