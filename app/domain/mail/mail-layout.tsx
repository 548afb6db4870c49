import { render } from "@react-email/render";
import { Fragment, type ReactNode } from "react";
import { DARK_PAGE, LIGHT_PAGE, shadesOf } from "#app/domain/site/colors.ts";
import { site } from "#app/domain/site/site.server.ts";

export interface Mail {
  kind: string;
  to: string;
  /** Without a hint at the site's content: others may see the preview. */
  subject: string;
  html: string;
  text: string;
}

/** The light theme's colors: an email cannot read the site's tokens. */
export const MAIL_COLORS = {
  page: LIGHT_PAGE,
  text: "#26242a",
  quiet: "#5b5660",
  buttonText: "#ffffff",
  line: "#e3dfe0",
};

/** Email programs that know the dark theme would otherwise choose the colors themselves. */
function darkStyle(): string {
  return `@media (prefers-color-scheme: dark) {
  .page { background-color: ${DARK_PAGE} !important; color: #ece9e6 !important; }
  .quiet { color: #aaa6a3 !important; }
  .link { color: ${shadesOf(site.accent).darkText} !important; }
  .line { border-color: #36353c !important; }
}`;
}

const FONT = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

export async function renderMail(content: ReactNode): Promise<{ html: string; text: string }> {
  const [html, text] = await Promise.all([render(content), render(content, { plainText: true })]);
  return { html, text };
}

export function MailLayout({ siteName, children }: { siteName: string; children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <style>{darkStyle()}</style>
      </head>
      <body
        className="page"
        style={{ margin: 0, backgroundColor: MAIL_COLORS.page, fontFamily: FONT, color: MAIL_COLORS.text }}
      >
        <table role="presentation" width="100%" cellPadding={0} cellSpacing={0}>
          <tbody>
            <tr>
              <td align="center" style={{ padding: "32px 16px" }}>
                {/* Outlook knows only the attribute, and phones are narrower. */}
                <table
                  role="presentation"
                  width="480"
                  cellPadding={0}
                  cellSpacing={0}
                  style={{ width: "100%", maxWidth: "480px", wordBreak: "break-word" }}
                >
                  <tbody>
                    <tr>
                      <td style={{ paddingBottom: "24px", fontSize: "20px", fontWeight: 600 }}>{siteName}</td>
                    </tr>
                    <tr>
                      <td style={{ fontSize: "16px", lineHeight: "24px" }}>{children}</td>
                    </tr>
                    {site.contactEmail === "" ? null : (
                      <tr>
                        <td
                          className="quiet"
                          style={{
                            paddingTop: "16px",
                            fontSize: "14px",
                            lineHeight: "20px",
                            color: MAIL_COLORS.quiet,
                          }}
                        >
                          Questions? Write to{" "}
                          <MailLink href={`mailto:${site.contactEmail}`}>{site.contactEmail}</MailLink>
                        </td>
                      </tr>
                    )}
                  </tbody>
                </table>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

export function MailLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="link" style={{ color: shadesOf(site.accent).link }}>
      {children}
    </a>
  );
}

export function MailButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} style={{ margin: "24px 0" }}>
      <tbody>
        <tr>
          <td style={{ backgroundColor: shadesOf(site.accent).button, borderRadius: "8px" }}>
            <a
              href={href}
              style={{
                display: "inline-block",
                padding: "12px 24px",
                color: MAIL_COLORS.buttonText,
                textDecoration: "none",
              }}
            >
              {children}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** One value per line: a table would break apart in the plain text. */
export function MailLines({ lines }: { lines: Record<string, string | null> }) {
  const given = Object.entries(lines).filter(([, value]) => value !== null);
  return (
    <p style={{ margin: "16px 0", lineHeight: "28px" }}>
      {given.map(([name, value], index) => (
        <Fragment key={name}>
          {index > 0 && <br />}
          <span className="quiet" style={{ color: MAIL_COLORS.quiet }}>
            {name}:
          </span>{" "}
          {value}
        </Fragment>
      ))}
    </p>
  );
}
