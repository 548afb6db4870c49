export interface Mail {
  kind: string;
  to: string;
  subject: string;
  html: string;
  text: string;
}
