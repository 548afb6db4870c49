import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { useContactEmail } from "#app/ui/parts/contact.tsx";
import styles from "./footer.module.css";

interface FooterProps {
  siteName: string;
  year: number;
}

const LINKS = [
  { label: "Privacy", to: paths.privacy() },
  { label: "Terms and Conditions", to: paths.terms() },
  { label: "About", to: paths.about() },
  { label: "2257", to: paths.records() },
  { label: "Cancel a subscription", to: paths.cancel() },
  { label: "Withdraw from a contract", to: paths.withdraw() },
];

export function Footer({ siteName, year }: FooterProps) {
  const contactEmail = useContactEmail();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.statements}>
          <p>All models are 18 years or older.</p>
          <p>
            <SiteLink to={paths.records()}>Click here</SiteLink> for the 18 U.S.C. 2257 Record-Keeping
            Requirements Compliance Statement.
          </p>
          <p>
            By entering this site you swear that you are of legal age in your area to view adult material and
            that you wish to view such material.
          </p>
        </div>
        <nav aria-label="Footer">
          <ul className={styles.links}>
            {LINKS.map(({ label, to }) => (
              <li key={to}>
                <SiteLink to={to}>{label}</SiteLink>
              </li>
            ))}
          </ul>
        </nav>
        <p className={styles.copyright}>
          © {year} {siteName}
          {contactEmail !== null && (
            <>
              {" · "}
              <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
            </>
          )}
        </p>
      </div>
    </footer>
  );
}
