/** Limits of content. An error that is caused by one of them states it. */
export const LIMITS = {
  /** In one list of fields, including deleted ones. */
  fields: 200,
  /** Of one field, including deleted ones. */
  options: 500,
  /** Size of a collection's fields as JSON. */
  fieldsBytes: 1_048_576,
  label: 255,
  description: 10_000,
  text: 100_000,
  url: 4_096,
  /** Values of a repeated field. */
  repeated: 1_000,
  /** Values of all repeated fields of an entry together. */
  values: 10_000,
  filters: 20,
  /** Values of one `in`. */
  inValues: 100,
  query: 200,
} as const;
