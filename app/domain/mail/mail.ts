export interface Mail {
  kind: string;
  to: string;
  /** Without a hint at the site's content: others may see the preview. */
  subject: string;
  html: string;
  text: string;
}
