import type { ReactNode } from "react";

const FONT = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/** The frame of every mail: one table, one column, no pictures, nothing loaded from anywhere. */
export function Letter({ siteName, children }: { siteName: string; children: ReactNode }) {
  return (
    <html lang="en">
      <body style={{ margin: 0, backgroundColor: "#fffdfb", fontFamily: FONT, color: "#26242a" }}>
        <table role="presentation" width="100%" cellPadding={0} cellSpacing={0}>
          <tbody>
            <tr>
              <td align="center" style={{ padding: "32px 16px" }}>
                <table role="presentation" width="480" cellPadding={0} cellSpacing={0}>
                  <tbody>
                    <tr>
                      <td style={{ paddingBottom: "24px", fontSize: "20px", fontWeight: 600 }}>{siteName}</td>
                    </tr>
                    <tr>
                      <td style={{ fontSize: "16px", lineHeight: "24px" }}>{children}</td>
                    </tr>
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

export function LetterButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} style={{ margin: "24px 0" }}>
      <tbody>
        <tr>
          <td style={{ backgroundColor: "#d92d72", borderRadius: "8px" }}>
            <a
              href={href}
              style={{
                display: "inline-block",
                padding: "12px 24px",
                color: "#ffffff",
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
