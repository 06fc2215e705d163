/** The introduction of the API reference, in Markdown: what `/docs` opens on. */
export const API_GUIDE = `Content, tracking, conversions, exports and files of an account.

## Get started

1. Create a secret token in the dashboard under *Settings › API keys*, or with \`npx headwater tokens create\`. It is for your servers only.
   Pages use the publishable key of *Settings › Installation*.
2. Send the token with every request:

\`\`\`sh
TOKEN=hw_sk_…
curl /v1/account -H "x-api-key: Bearer $TOKEN"
\`\`\`

## Track visits and events

The [page script](/guide/tracking) records visits. Servers record events:

\`\`\`sh
curl /v1/events -H 'content-type: application/json' \\
  -d '{"api_key":"hw_sk_…","event":"signup","properties":{"email":"ada@shop.example","sessionHash":"…"}}'
\`\`\`

## Report a conversion

\`\`\`sh
curl /v1/analytics/report-conversion -H "x-api-key: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"gclid":"…","eventId":"order-1001","value":"49.90","currency":"EUR"}'
\`\`\`

The result is \`reported\`, or \`unmatched\` until the session arrives. The same \`eventId\` restates the conversion. See
[conversions](/guide/conversions).

## Read content

\`\`\`sh
curl "/v1/cms/collections/{collectionId}/entries?sort=createdAt:desc" -H "x-api-key: Bearer $TOKEN"
\`\`\`

See [content](/guide/content) and [analytics](/guide/analytics).

## Conventions

- **Success is 200.** Errors are \`application/problem+json\` with a stable \`code\` and all faults in \`errors\`.
- **Paging**: pass \`nextPageToken\` as \`pageToken\`; it is null on the last page.
- **Retries**: \`Idempotency-Key\` makes a creating POST safe to repeat for 24 hours. After 429, wait for \`Retry-After\`.
- **Lists** in queries are repeated, or separated by commas: \`?by=source&by=medium\` is \`?by=source,medium\`.
- **Limits** are published at \`GET /v1/limits\`.
- **Times** are ISO 8601 in UTC; amounts are decimal strings.`;

/** The order of the sections. */
export const API_SECTIONS = [
  'Tracking',
  'Conversions',
  'Reconciliations',
  'Analytics',
  'Alerts',
  'Experiments',
  'Shared reports',
  'Collections',
  'Components',
  'Schema',
  'Entries',
  'Releases',
  'Public content',
  'Imports',
  'Files',
  'Jobs',
  'Plans',
  'Webhooks',
  'Publish hooks',
  'Destinations',
  'Warehouse',
  'API keys',
  'Members',
  'Roles',
  'Single sign-on',
  'Users',
  'Operation',
  'Service',
];
