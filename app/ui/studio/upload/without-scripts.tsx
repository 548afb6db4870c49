/** The page after a form of the uploads reloads itself while drafts are made, which scripts do otherwise. */
export function WithoutScripts() {
  return (
    <noscript>
      <input type="hidden" name="arrived" value="0" />
    </noscript>
  );
}
