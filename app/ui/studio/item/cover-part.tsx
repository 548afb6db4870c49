import { Button, Group, Stack } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import type { RequestedCode } from "#app/ui/forms/code-field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { PICTURE_FORMATS, PictureField } from "#app/ui/forms/picture-field.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import "#app/ui/theme/mantine.css";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { TypedForm } from "../typed-form.tsx";
import files from "./files.module.css";
import { FormCode } from "./form-code.tsx";
import styles from "./item.module.css";
import { MomentField } from "./moment-field.tsx";
import { PhotoPages, type ShownPages } from "./photo-pages.tsx";

type Way = "moment" | "candidate" | "photo" | "upload";

/** The form that uses a cover sends them again. */
interface MadeFacts {
  version: number;
  color: string;
  source: object;
  photoVersion?: number | undefined;
}

interface CoverSectionProps {
  action: string;
  type: "video" | "photoSet";
  /** Of the current cover, to notice that somebody else has chosen another. */
  version: number | null;
  present: PictureView | null;
  candidates: { name: string; url: string }[];
  photos: { id: string; position: number; picture: PictureView | null }[];
  pages: ShownPages | null;
  answer:
    | {
        made: (MadeFacts & { picture: PictureView | null }) | null;
        typed: { moment: string; candidate: string; photo: string };
        error: { at: Way | "use"; sentence: string } | null;
      }
    | undefined;
  code: { way: string; request: RequestedCode } | null;
  hasOutbox: boolean;
  isSaved: boolean;
  uploadLimit: string;
  limits: { chapterTime: number };
}

export function CoverSection(props: CoverSectionProps) {
  const { action, type, present, candidates, photos, pages, answer, code, hasOutbox, isSaved } = props;
  const problemAt = (at: Way | "use") => (answer?.error?.at === at ? answer.error.sentence : undefined);
  const codeAt = (at: string) => (code?.way === at ? code.request : null);
  const form = { action, hasOutbox };
  return (
    <FormSection
      id="cover"
      title="Cover"
      about={
        <p>
          Everyone past the age gate sees it, even those who cannot view the item. The site crops it to the
          shape of the cards, and derives the blur and the color from it.
        </p>
      }
      done={isSaved ? "The new cover is on every page." : undefined}
    >
      <div className={files.covers}>
        <figure>
          {present === null ? (
            <p className={styles.muted}>There is no cover, or it is not shown at the moment.</p>
          ) : (
            <Picture picture={present} sizes="16rem" />
          )}
          <figcaption>Current cover</figcaption>
        </figure>
        {answer?.made && (
          <figure>
            {answer.made.picture === null ? (
              <p>You can see it once the item is back.</p>
            ) : (
              <Picture picture={{ ...answer.made.picture, alt: "New cover" }} sizes="16rem" priority />
            )}
            <figcaption>
              <strong>New cover</strong>, not in use yet
            </figcaption>
          </figure>
        )}
      </div>
      {answer?.made && <UseForm {...form} {...props} made={answer.made} code={codeAt("use")} />}
      <FormError id="cover-use">{problemAt("use")}</FormError>
      {type === "video" && (
        <MomentForm
          key={isSaved ? props.version : "moment"}
          {...form}
          typed={answer?.typed.moment ?? ""}
          maxLength={props.limits.chapterTime}
          error={problemAt("moment")}
          code={codeAt("moment")}
        />
      )}
      {candidates.length > 0 && (
        <ChoiceForm
          {...form}
          way="candidate"
          legend="A picture from the video"
          error={problemAt("candidate")}
          code={codeAt("candidate")}
          chosen={answer?.typed.candidate}
          choices={candidates.map(({ name, url }, index) => ({
            value: name,
            label: `Picture ${index + 1}`,
            picture: <img src={url} alt="" loading="lazy" width={320} height={180} />,
          }))}
        />
      )}
      {photos.length > 0 && (
        <ChoiceForm
          {...form}
          way="photo"
          legend="A photo of the set"
          error={problemAt("photo")}
          code={codeAt("photo")}
          chosen={answer?.typed.photo}
          choices={photos.map(({ id, position, picture }) => ({
            value: id,
            label: `Photo ${position}`,
            picture: picture && <Picture picture={{ ...picture, alt: "" }} sizes="7rem" />,
          }))}
        >
          {pages && <PhotoPages pages={pages} name="Pages of photos for the cover" />}
        </ChoiceForm>
      )}
      <TypedForm
        key={isSaved ? props.version : "upload"}
        method="post"
        action={`${action}#cover`}
        encType="multipart/form-data"
      >
        <input type="hidden" name="section" value="cover" />
        <Stack gap="md">
          <PictureField
            id="cover-upload"
            name="picture"
            isThere
            description={`${PICTURE_FORMATS}, up to ${props.uploadLimit}. The site uses it only as the cover.`}
            error={problemAt("upload")}
          />
          <CodeOf code={codeAt("upload")} way="upload" hasOutbox={hasOutbox}>
            <p>Please choose the picture again, too. Browsers do not keep it.</p>
          </CodeOf>
          <LookButton way="upload" />
        </Stack>
      </TypedForm>
    </FormSection>
  );
}

interface OneForm {
  action: string;
  hasOutbox: boolean;
  code: RequestedCode | null;
}

function factsOf({ version, color, source, photoVersion }: MadeFacts): MadeFacts {
  return { version, color, source, photoVersion };
}

function UseForm({
  action,
  version,
  made,
  code,
  hasOutbox,
}: OneForm & { version: number | null; made: MadeFacts }) {
  return (
    <Form method="post" action={action}>
      <input type="hidden" name="section" value="cover" />
      <input type="hidden" name="opened" value={JSON.stringify(version)} />
      <input type="hidden" name="made" value={JSON.stringify(factsOf(made))} />
      <Stack gap="md">
        <FormCode code={code} intent="use" hasOutbox={hasOutbox} />
        <Group gap="md">
          <Button type="submit" name="intent" value="use">
            Use the new cover
          </Button>
          <Link to={`${action}#cover`}>Keep the current one</Link>
        </Group>
      </Stack>
    </Form>
  );
}

function MomentForm({
  action,
  typed,
  maxLength,
  error,
  code,
  hasOutbox,
}: OneForm & { typed: string; maxLength: number; error: string | undefined }) {
  return (
    <TypedForm method="post" action={`${action}#cover`}>
      <input type="hidden" name="section" value="cover" />
      <MomentField
        id="cover-moment"
        name="moment"
        label="A moment of the video"
        typed={typed}
        maxLength={maxLength}
        error={error}
      >
        {(field, take) => (
          <Stack gap="md">
            {field}
            <FormCode code={code} intent="moment" hasOutbox={hasOutbox} />
            <Group gap="sm">
              <LookButton way="moment" />
              {take("Use the player's time")}
            </Group>
          </Stack>
        )}
      </MomentField>
    </TypedForm>
  );
}

interface ChoiceFormProps extends OneForm {
  way: "candidate" | "photo";
  legend: string;
  error: string | undefined;
  chosen: string | undefined;
  choices: { value: string; label: string; picture: ReactNode }[];
  children?: ReactNode;
}

function ChoiceForm({
  action,
  way,
  legend,
  error,
  code,
  hasOutbox,
  chosen,
  choices,
  children,
}: ChoiceFormProps) {
  return (
    <Form method="post" action={`${action}#cover`}>
      <input type="hidden" name="section" value="cover" />
      <Stack gap="md">
        <fieldset id={`cover-${way}`} className={files.fieldset}>
          <legend className={styles.legend}>{legend}</legend>
          <div className={files.choices}>
            {choices.map(({ value, label, picture }) => (
              <label key={value} className={files.choice}>
                {picture}
                <span>
                  <input type="radio" name={way} value={value} defaultChecked={value === chosen} /> {label}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        {children}
        <FormError>{error}</FormError>
        <FormCode code={code} intent={way} hasOutbox={hasOutbox} />
        <LookButton way={way} />
      </Stack>
    </Form>
  );
}

function CodeOf({
  code,
  way,
  hasOutbox,
  children,
}: {
  code: RequestedCode | null;
  way: Way;
  hasOutbox: boolean;
  children: ReactNode;
}) {
  if (code === null) return null;
  return (
    <>
      {children}
      <FormCode code={code} intent={way} hasOutbox={hasOutbox} />
    </>
  );
}

function LookButton({ way }: { way: Way }) {
  return (
    <div>
      <Button type="submit" name="intent" value={way} variant="default">
        Preview as cover
      </Button>
    </div>
  );
}
