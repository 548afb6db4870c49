import { Button, Group, Stack } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { useBroughtIntoView } from "#app/ui/forms/brought-into-view.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { PICTURE_FORMATS, PictureField } from "#app/ui/forms/picture-field.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import "#app/ui/theme/mantine.css";
import type { CoverAnswer, CoverWay } from "#app/web/forms/cover-form.server.ts";
import type { FormGroupAnswer } from "#app/web/studio/form-group.server.ts";
import { useSaves } from "../part-form.tsx";
import { TypedForm } from "../typed-form.tsx";
import files from "./files.module.css";
import { FormGroup } from "./form-group.tsx";
import styles from "./item.module.css";
import { MomentField, type PlayerProps, TimesPlayer, takeTime } from "./moment-field.tsx";
import { PhotoPages, type ShownPages } from "./photo-pages.tsx";

interface CoverPartProps {
  action: string;
  type: "video" | "photoSet";
  /** Of the current cover, to notice that somebody else has chosen another. */
  version: number | null;
  present: PictureView | null;
  video: PlayerProps;
  candidates: { name: string; url: string }[];
  photos: { id: string; position: number; picture: PictureView | null }[];
  pages: ShownPages;
  notice: string | null;
  answer: FormGroupAnswer<CoverAnswer> | undefined;
  /** `time`: in characters. */
  limits: { upload: string; time: number };
}

export function CoverPart({ notice, answer, ...props }: CoverPartProps) {
  const { action, type, version, present, candidates, photos, limits } = props;
  const { sent } = answer ?? {};
  const problemAt = (at: CoverWay | "use") => (sent?.error?.at === at ? sent.error.sentence : undefined);
  const saves = useSaves(answer === undefined && notice !== null);
  const made = useBroughtIntoView<HTMLElement>(sent?.made != null);
  return (
    <FormGroup
      id="cover"
      title="Cover"
      about={
        <p>
          Everyone past the age gate sees it, even people who cannot view the item. The site crops it to the
          shape of the cards, and takes its placeholder color and blur from it.
        </p>
      }
      notice={notice}
      answer={answer}
      refusals={({ error }) => (error ? [{ at: `cover-${error.at}`, sentence: error.sentence }] : [])}
    >
      {present === null && (
        <p className={styles.muted}>
          {version === null
            ? "This item has no cover yet."
            : "You can see the current cover once the item is back."}
        </p>
      )}
      {(present || sent?.made) && (
        <div className={files.covers}>
          {present && (
            <figure>
              <Picture picture={present} sizes="16rem" />
              <figcaption>Current cover</figcaption>
            </figure>
          )}
          {sent?.made && (
            <figure ref={made} className={files.made}>
              {sent.made.picture === null ? (
                <p>You can see it once the item is back.</p>
              ) : (
                <Picture picture={{ ...sent.made.picture, alt: "New cover" }} sizes="16rem" priority />
              )}
              <figcaption>
                <strong>New cover</strong>, not in use yet
              </figcaption>
            </figure>
          )}
        </div>
      )}
      {sent?.made && <UseForm action={action} version={version} made={sent.made} />}
      <FormError id="cover-use">{problemAt("use")}</FormError>
      {type === "video" && (
        <>
          <TimesPlayer {...props.video} />
          <LookForm key={`moment ${saves}`} way="moment" action={action}>
            <MomentField
              id="cover-moment"
              name="moment"
              label="A moment of the video"
              typed={sent?.typed.moment ?? ""}
              maxLength={limits.time}
              error={problemAt("moment")}
            />
          </LookForm>
        </>
      )}
      {candidates.length > 0 && (
        <ChoiceForm
          action={action}
          way="candidate"
          legend="A picture from the video"
          error={problemAt("candidate")}
          chosen={sent?.typed.candidate}
          choices={candidates.map(({ name, url }, index) => ({
            value: name,
            label: `Picture ${index + 1}`,
            picture: <img src={url} alt="" loading="lazy" width={320} height={180} />,
          }))}
        />
      )}
      {photos.length > 0 && (
        <ChoiceForm
          action={action}
          way="photo"
          legend="A photo of the set"
          error={problemAt("photo")}
          chosen={sent?.typed.photo}
          choices={photos.map(({ id, position, picture }) => ({
            value: id,
            label: `Photo ${position}`,
            picture: picture && <Picture picture={{ ...picture, alt: "" }} sizes="7rem" />,
          }))}
        >
          <PhotoPages pages={props.pages} name="Pages of photos for the cover" />
        </ChoiceForm>
      )}
      <LookForm key={`upload ${saves}`} way="upload" action={action}>
        <PictureField
          id="cover-upload"
          name="picture"
          isThere
          description={`${PICTURE_FORMATS}, up to ${limits.upload}. The site uses it only as the cover.`}
          error={problemAt("upload")}
        />
      </LookForm>
    </FormGroup>
  );
}

interface UseFormProps {
  action: string;
  version: number | null;
  made: NonNullable<CoverAnswer["made"]>;
}

function UseForm({ action, version, made: { picture, ...made } }: UseFormProps) {
  return (
    <Form method="post" action={action}>
      <input type="hidden" name="opened" value={JSON.stringify(version)} />
      <input type="hidden" name="made" value={JSON.stringify(made)} />
      <Group gap="md">
        <Button type="submit" name="intent" value="use">
          Use the new cover
        </Button>
        {version !== null && <Link to={action}>Keep the current one</Link>}
      </Group>
    </Form>
  );
}

interface ChoiceFormProps {
  action: string;
  way: "candidate" | "photo";
  legend: string;
  error: string | undefined;
  chosen: string | undefined;
  choices: { value: string; label: string; picture: ReactNode }[];
  children?: ReactNode;
}

function ChoiceForm({ action, way, legend, error, chosen, choices, children }: ChoiceFormProps) {
  return (
    <LookForm way={way} action={action}>
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
    </LookForm>
  );
}

/** Only a typed time or a file would be lost with the page. */
function LookForm({ way, action, children }: { way: CoverWay; action: string; children: ReactNode }) {
  const WayForm = way === "moment" || way === "upload" ? TypedForm : Form;
  return (
    <WayForm
      method="post"
      action={action}
      encType={way === "upload" ? "multipart/form-data" : "application/x-www-form-urlencoded"}
    >
      <Stack gap="md">
        {children}
        <div>
          <Button
            type="submit"
            name="intent"
            value={way}
            variant="default"
            onClick={({ currentTarget: { form } }) => {
              const moment = form?.elements.namedItem("moment");
              if (moment instanceof HTMLInputElement && moment.value.trim() === "") takeTime(moment);
            }}
          >
            Preview as cover
          </Button>
        </div>
      </Stack>
    </WayForm>
  );
}
