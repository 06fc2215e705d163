/** Where requests of the guide go, unless the service knows its URL. */
export const LOCAL_URL = 'http://localhost:3000';

/** The introduction of the API reference, in Markdown: what `/docs` opens on. */
export const API_GUIDE = `Content, tracking, conversions, exports and files of an account.

## Get started

1. Create a secret token in the dashboard under *Settings › API keys*, or with \`npx headwater tokens create\`. It is for your servers only.
   Pages use the publishable key of *Settings › Installation*.
2. Send the token with every request, as \`x-api-key: Bearer …\` or as \`Authorization: Bearer …\`:

\`\`\`sh
TOKEN=hw_sk_…
curl ${LOCAL_URL}/v1/account -H "x-api-key: Bearer $TOKEN"
\`\`\`

## Track visits and events

The [page script](/guide/tracking) records visits. Servers record events:

\`\`\`sh
curl ${LOCAL_URL}/v1/events -H 'content-type: application/json' \\
  -d '{"api_key":"hw_sk_…","event":"signup","properties":{"email":"ada@shop.example","sessionHash":"…"}}'
\`\`\`

## Report a conversion

\`\`\`sh
curl ${LOCAL_URL}/v1/analytics/report-conversion -H "x-api-key: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"gclid":"…","eventId":"order-1001","value":"49.90","currency":"EUR"}'
\`\`\`

The result is \`reported\`, or \`unmatched\` until the session arrives. The same \`eventId\` restates the conversion. See
[conversions](/guide/conversions).

## Read content

\`\`\`sh
curl "${LOCAL_URL}/v1/cms/collections/{collectionId}/entries?sort=createdAt:desc" -H "x-api-key: Bearer $TOKEN"
\`\`\`

See [content](/guide/content) and [analytics](/guide/analytics).

## Conventions

- **Success is 200.** Errors are \`application/problem+json\` with a stable \`code\` and all faults in \`errors\`.
  \`x-error-codes\` of an operation are those of its own, beside those of \`BadRequest\`, which many have.
- **Paging**: pass \`nextPageToken\` as \`pageToken\`; it is null on the last page.
- **Retries**: \`Idempotency-Key\` makes a creating POST safe to repeat for 24 hours. After 429, wait for \`Retry-After\`;
  \`RateLimit\` says what is left. \`x-request-id\` of every response is in the log.
- **Lists** in queries are repeated, or separated by commas: \`?by=source&by=medium\` is \`?by=source,medium\`.
- **What was read can be sent back**: members that are read-only are ignored in requests.
- **Limits** are published at \`GET /v1/limits\`.
- **Times** are ISO 8601 in UTC; amounts are decimal strings.`;

/** The sections in their order, and what each is for. */
export const API_SECTIONS = {
  Tracking: 'Records visits and events, and lists sessions and leads',
  Conversions: 'Reports sales and other conversions, by what identifies the session',
  Reconciliations: 'Compares conversions with the statement of a payment provider or network',
  Analytics: 'Reports of traffic, conversions, revenue and ad spend',
  Alerts: 'Notifies when a number is not as it should be',
  Experiments: 'Assigns visitors to variants, and compares what they do',
  'Shared reports': 'Reads a report by its link',
  Collections: 'The models of content',
  Components: 'Groups of fields that several collections share',
  Schema: 'All models as one document: read, compared and changed at once',
  Entries: 'Content: its values, versions and translations',
  Releases: 'Changes of content that are published together',
  'Public content': 'What pages read with a publishable key',
  Imports: 'Entries as CSV, in and out',
  Files: 'Images, videos and other files, and their folders',
  Jobs: 'Work in the background, such as exports',
  Plans: 'Changes that agents propose, and somebody applies',
  Webhooks: 'Sends what happens to your servers',
  'Publish hooks': 'Starts builds when content is published',
  Destinations: 'Sends conversions to ad platforms, and purges caches',
  Warehouse: 'Exports all data to a bucket, day by day',
  'API keys': 'Secret, publishable and postback keys',
  Members: 'Users of the account, and invitations',
  Roles: 'What members and keys may do',
  'Single sign-on': 'Signs users in by the provider of their company',
  Users: 'Signing in, and the security of a user',
  Operation: 'Cells and backups, for those who run the service',
  Service: 'The limits and state of the service',
};
