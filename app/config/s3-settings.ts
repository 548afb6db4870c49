import { z } from "zod";
import { checked, oneOf } from "./setting-kinds.ts";
import type { Given, Problems } from "./setting-problems.ts";
import { urlProblem } from "./setting-urls.ts";

const BUCKET =
  /^(?<folderFirst>folder, *)?s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*))?\/?$/;

export const S3_SETTINGS = {
  STORAGE: z
    .string()
    .regex(
      BUCKET,
      "must be s3:// and the name of a bucket, with a folder in it if you like: s3://bucket/folder; while files move back, folder, s3://bucket/folder",
    )
    .optional(),
  S3_ENDPOINT: checked(endpointProblem).optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, "must be the name of a region such as eu-central-1")
    .default("us-east-1"),
  S3_ACCESS_KEY: z
    .string()
    .regex(/^\S{3,128}$/, "must be an access key, without blanks")
    .optional(),
  S3_SECRET_KEY: z
    .string()
    .regex(/^\S{8,256}$/, "must be a secret key, without blanks")
    .optional(),
  S3_PATH_STYLE: oneOf(["on", "off"]).default("off"),
};

type Values = z.infer<z.ZodObject<typeof S3_SETTINGS>>;
export type S3Settings = NonNullable<ReturnType<typeof s3Of>>;

/** Null where media are stored in the data folder. */
export function s3Of(values: Values) {
  const { folderFirst, bucket, prefix } = BUCKET.exec(values.STORAGE ?? "")?.groups ?? {};
  if (bucket === undefined) return null;
  const { S3_ACCESS_KEY: accessKeyId, S3_SECRET_KEY: secretAccessKey } = values;
  return {
    bucket,
    /** New files go to the data folder, while those in the store are moved there. */
    isLeft: folderFirst !== undefined,
    /** Before the key of each object; empty, or with a slash at its end. */
    prefix: prefix === undefined ? "" : `${prefix}/`,
    /** Of Amazon when undefined. */
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION,
    /** Null: from the usual files and variables of AWS, or the role of the instance. */
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey },
    /** The bucket is part of the path instead of the host. */
    isPathStyle: values.S3_PATH_STYLE === "on",
  };
}

export function s3Problems(given: Given): Problems {
  const problems: Problems = {};
  if (given.S3_ACCESS_KEY !== undefined && given.S3_SECRET_KEY === undefined)
    problems.S3_SECRET_KEY = "is required with S3_ACCESS_KEY";
  if (given.S3_SECRET_KEY !== undefined && given.S3_ACCESS_KEY === undefined)
    problems.S3_ACCESS_KEY = "is required with S3_SECRET_KEY";
  if (given.S3_ENDPOINT !== undefined && given.STORAGE === undefined)
    problems.STORAGE = "is required with S3_ENDPOINT: name the bucket, as in s3://bucket";
  return problems;
}

function endpointProblem(text: string): string | null {
  const problem = urlProblem(text, ["http", "https"]);
  if (problem !== null) return problem;
  const { pathname, search, username } = new URL(text);
  return pathname === "/" && search === "" && username === ""
    ? null
    : "must be only http:// or https:// and the host: keys and the bucket have their own settings";
}
