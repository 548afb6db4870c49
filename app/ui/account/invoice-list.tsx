import type { InvoiceView } from "#app/domain/billing/account/own-invoices.server.ts";
import { useContactText } from "#app/ui/parts/contact.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import styles from "./account.module.css";

const SHOWN = 6;

const STATES: Record<InvoiceView["state"], string> = {
  paid: "Paid",
  partlyRefunded: "Paid",
  refunded: "Paid, then refunded in full",
  disputed: "Paid, then disputed by your bank",
  paidTooLate: "Paid after its subscription had ended, so it gave you no access",
  open: "Not paid yet",
  paymentPending: "Pending: your bank is sending the money",
  lapsed: "Not paid. Its subscription has ended, so nothing is due",
  uncollectible: "Not paid and written off. Nothing is due",
  void: "Canceled. Nothing is due",
};

export function InvoiceList({ invoices }: { invoices: InvoiceView[] }) {
  if (invoices.length === 0) {
    return <p className={styles.muted}>No invoices yet. You will find one here for each payment.</p>;
  }
  const older = invoices.slice(SHOWN);
  return (
    <>
      <Invoices invoices={invoices.slice(0, SHOWN)} />
      {older.length > 0 && (
        <details className={styles.older}>
          <summary>Older invoices ({older.length})</summary>
          <Invoices invoices={older} />
        </details>
      )}
    </>
  );
}

function Invoices({ invoices }: { invoices: InvoiceView[] }) {
  const contact = useContactText();
  return (
    <ul className={styles.rows}>
      {invoices.map(({ id, number, date, amount, state, remaining, refunded, received, pageUrl, pdfUrl }) => (
        <li key={id}>
          <div>
            <p>
              <strong>{amount}</strong> on {date}
            </p>
            <p className={styles.muted}>
              {STATES[state]}
              {received !== null && `, ${received} received`}
              {state === "paidTooLate" && `. Write to ${contact} to get it back`}
              {remaining !== null && `, ${remaining} still due`}
              {state === "partlyRefunded" && `, ${refunded} refunded`}
            </p>
          </div>
          <p className={styles.links}>
            {pageUrl !== null && (
              <a href={pageUrl} rel="noreferrer">
                {state === "open" ? "Pay" : "Invoice"} <VisuallyHidden>{number ?? date}</VisuallyHidden>
              </a>
            )}
            {pdfUrl !== null && (
              <a href={pdfUrl} rel="noreferrer">
                PDF <VisuallyHidden>of invoice {number ?? date}</VisuallyHidden>
              </a>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
