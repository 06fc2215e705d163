import { defineLimits } from '../shared/limits.ts';

export const CONTENT_LIMITS = defineLimits({
  fields: [200, 'Fields of a collection or of a group, including deleted ones'],
  locales: [30, 'Locales of an account'],
  translations: [1_000, 'Localized fields of a collection, counted once for each locale other than the default one'],
  options: [500, 'Options of a field, including deleted ones'],
  fieldsBytes: [1_048_576, 'Size of the fields of a collection as JSON'],
  labelLength: [255, 'Name of a collection; label of a field or option; value of an option'],
  descriptionLength: [10_000, 'Description of a collection'],
  patternLength: [500, 'Pattern of a field'],
  textLength: [100_000, 'Value of a text field'],
  slugLength: [200, 'Slug'],
  derivedSlugLength: [80, 'Slug that is derived from another field'],
  jsonBytes: [100_000, 'Value of a JSON field'],
  jsonDepth: [20, 'Nesting of the value of a JSON field'],
  richTextLength: [500_000, 'Value of a rich text field as JSON'],
  referencedCollections: [100, 'Collections whose entries a field can reference'],
  urlLength: [4_096, 'Value of a URL field'],
  valuesPerField: [1_000, 'Values of a repeated field'],
  valuesPerEntry: [10_000, 'Values of all repeated fields of an entry together'],
  expandDepth: [3, 'Depth to which references are expanded'],
  expandPaths: [20, 'Paths of `expand`'],
  expandedEntries: [10_000, 'Expanded entries in a response'],
  titledEntries: [100, 'Entries of a request for titles'],
  publishedTogether: [100, 'Entries of a request that publishes or unpublishes several'],
  commentLength: [5_000, 'Comment on an entry'],
  releaseItems: [500, 'Entries of a release'],
  releaseBytes: [20_000_000, 'Values of the entries of a release as JSON, with the versions that it publishes'],
  releaseErrors: [100, 'Errors that are kept of a release that failed'],
  filters: [20, 'Filters of a list request'],
  filterValues: [100, 'Values of one `in` filter'],
  searchLength: [200, '`q` of a list request'],
});

/** An error that is caused by one of them states it. */
export const LIMITS = CONTENT_LIMITS.values;
