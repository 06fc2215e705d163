/** Longer descriptions of operations, for the API reference. */

export const EXPORT_DESCRIPTION = `Starts a job that writes the entries of a listing to a file. Poll \`GET /v1/jobs/get-by-id\` for the download URL.

\`csv\` follows RFC 4180, with a header, in UTF-8; \`bom: true\` lets Excel recognize that. The columns are \`id\`, the fields by their ids, \`createdAt\` and \`updatedAt\`. A group
that is not repeated has one column per field (\`seo.title\`). An asset is its id, followed by a column \`….url\` with its URL. If a field
has the name of a system column, such as \`id\`, that column is prefixed with \`_\`. Collections with publishing also have the columns
\`publishedVersion\` and \`publishedAt\`. A repeated field is a JSON array. An apostrophe
precedes text that a spreadsheet would run as a formula; an import removes it. Importing the file unchanged changes nothing.
\`ndjson\` has one entry per line.`;

export const UPLOAD_DESCRIPTION = `Uploads a CSV whose first line names its columns. It must be UTF-8, with or without a byte order mark. Cells are separated by
commas, semicolons or tabs, as the first line shows, or as a line \`sep=;\` before it says. The response lists the columns and suggests a field for each. No entry is
written yet. Error codes: \`file_missing\`, \`file_empty\`, \`file_too_large\`, \`encoding_unsupported\`, \`csv_malformed\`, \`csv_empty\`,
\`too_many_columns\`, and those of every upload.`;

export const DRY_RUN_DESCRIPTION = `Starts a job that checks every row by the rules of \`POST …/entries\` and \`PATCH …/entries/{entryId}\` without writing anything. Once
\`status\` is \`dry_run_completed\`, \`dryRun\` counts what the import would do.

| Type | Accepted cells |
|---|---|
| text, url | any text |
| number | \`1234.5\`, \`1,234.50\`, \`1.234,50\`, \`12,5\`, \`1 234\`; \`1,234\` and \`1.234\` can be \`number_ambiguous\` without \`decimal\` |
| boolean | true or false, yes or no, on or off, y or n, 1 or 0 |
| date | \`2026-11-20\`, \`2026/11/20\`, \`20.11.2026\`, \`20 Nov 2026\`, \`Nov 20, 2026\`, \`20/11/2026\`; \`03/04/2026\` can be \`date_ambiguous\` without \`dateOrder\` |
| timestamp | RFC 3339; a date as above and a time of day is \`timestamp_ambiguous\` without \`timeZone\` |
| select | the value or the label of an option |
| asset | an \`assetId\` |
| repeated | a JSON array, or values separated by the column's \`separator\` |

A column is read in one way throughout. Without \`decimal\` or \`dateOrder\`, the cells that have only one reading decide how the others
are read: in a column with \`99,90\`, \`1.234\` is a thousand. If no cell decides it, or some contradict each other, the cells that have two
readings are \`number_ambiguous\` or \`date_ambiguous\`.

An empty cell is no value. Without \`idColumn\` and \`keyField\`, every row creates an entry. With one of them, a row updates the entry with
that id or value. If several rows are for the same entry, the first is used and the others fail with \`row_repeated\`.`;
