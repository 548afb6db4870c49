/** The company that charges for subscriptions, and its page for questions about a charge. */
export function BillerLink({ name, url }: { name: string; url: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {name}
    </a>
  );
}
