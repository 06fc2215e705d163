import { type TObject, type TSchema, Type } from 'typebox';
import { Entry } from '../content/index.ts';
import { Job } from '../jobs/index.ts';

/** What an endpoint may subscribe to. */
export const KINDS = [
  'event.recorded',
  'lead.created',
  'lead.updated',
  'conversion.reported',
  'conversion.restated',
  'conversion.matched',
  'entry.created',
  'entry.updated',
  'entry.deleted',
  'job.completed',
  'job.failed',
] as const;

/** Sent by `POST /v1/webhooks/{id}/test` alone. */
export const TEST_KIND = 'webhook.test';

export const ALL_KINDS = [...KINDS, TEST_KIND] as const;
export type Kind = (typeof ALL_KINDS)[number];

const Time = Type.String({ format: 'date-time' });
const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
const Text = orNull(Type.String());
const sequence = Type.Integer({
  minimum: 1,
  description:
    'Counts the changes of this resource: of two payloads with one `data.id` the higher tells the later state',
});

const Session = Type.Object(
  {
    id: Type.Integer(),
    hash: Type.String(),
    shortHash: Type.String(),
    visitorId: Type.String(),
    startedAt: Time,
    lastSeenAt: Time,
    landingUrl: Type.String(),
    referrer: Text,
    source: Text,
    medium: Text,
    campaign: Text,
    term: Text,
    content: Text,
    utmId: Text,
    clickIds: Type.Record(Type.String(), Type.String(), { description: 'By their names in the conversion report' }),
    device: Text,
    browser: Text,
    os: Text,
    country: Text,
    isBot: Type.Boolean(),
    isInternal: Type.Boolean(),
  },
  { title: 'WebhookSession' },
);

const EventData = Type.Object({
  id: Type.String({ description: 'As `event_id` of the answer that recorded it' }),
  clientEventId: orNull(Type.String(), "The caller's own `event_id`"),
  event: Type.String(),
  properties: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  session: orNull(Session),
  lead: orNull(Type.Object({ id: Type.String(), email: Type.String() })),
  isBot: Type.Boolean(),
  isInternal: Type.Boolean(),
  occurredAt: Time,
  receivedAt: Time,
  sequence,
});

const LeadData = Type.Object({
  id: Type.String(),
  email: Type.String(),
  firstSeenAt: Time,
  lastSeenAt: Time,
  firstSession: orNull(Session),
  latestSession: orNull(Session),
  sequence,
});

const ConversionData = Type.Object({
  id: Type.String({ description: 'As `_id` of the answer that reported it' }),
  eventId: orNull(Type.String(), "The caller's own identifier of the conversion"),
  event: Type.String(),
  value: orNull(Type.String(), 'A decimal number as text, exact'),
  currency: Text,
  createdOn: Time,
  receivedAt: Time,
  origin: Type.Enum(['report', 'event'], { description: 'Whether it was reported, or is an event with a value' }),
  identifier: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: { type: ['string', 'number'] },
    description: 'What it was matched by: name and value',
  }),
  extra: Type.Unsafe<object | null>({ type: ['object', 'null'], additionalProperties: true }),
  session: orNull(Session, 'The visit it was attributed to: landing page, source, campaign, click ids'),
  sequence,
});

const EntryData = Type.Object({ ...Entry.properties, sequence });
const JobData = Type.Object({ ...Job.properties, sequence });
const TestData = Type.Object({ id: Type.String({ description: "The endpoint's" }), message: Type.String(), sequence });

const session = {
  id: 4711,
  hash: 'k3Jv9QmZx0RtYb7LwPcA2d',
  shortHash: '7q2m0v9fk3ra',
  visitorId: 'h2Xw8KcN5vTzQ1bR4mLyPs',
  startedAt: '2026-11-20T07:41:12.480Z',
  lastSeenAt: '2026-11-20T07:58:03.019Z',
  landingUrl: 'https://shop.example/?utm_source=google&utm_campaign=summer&gclid=EAIaIQ',
  referrer: 'https://www.google.com/',
  source: 'google',
  medium: 'cpc',
  campaign: 'summer',
  term: null,
  content: null,
  utmId: null,
  clickIds: { gclid: 'EAIaIQ' },
  device: 'mobile',
  browser: 'Chrome',
  os: 'Android',
  country: 'DE',
  isBot: false,
  isInternal: false,
};
const email = 'ada@shop.example';
const at = '2026-11-20T08:00:00.000Z';
const lead = {
  id: 'led_01kaf9m8t0f3r9w2c7x5q1v6bn',
  email,
  firstSeenAt: '2026-11-20T07:58:03.019Z',
  lastSeenAt: at,
  firstSession: session,
  latestSession: session,
};
const conversion = {
  id: 'cnv_01kaf9m8t0e4n7v1b8s3h6k2dz',
  eventId: 'order-1',
  event: 'conversion',
  value: '129.90',
  currency: 'EUR',
  createdOn: at,
  receivedAt: at,
  origin: 'report',
  identifier: { gclid: 'EAIaIQ' },
  extra: null,
  session,
};
const entry = {
  id: 'ent_01kaf9m8t0m5p2y9d4g7z1j8qw',
  collectionId: 'col_01kaf9m8t0a6t3e1n8r5c2x9vf',
  values: { headline: 'Summer sale' },
  status: 'active',
  createdAt: at,
  updatedAt: at,
};
const job = {
  id: 'job_01kaf9m8t0s7h4k1q9w6b3d8yc',
  type: 'export',
  progress: 1,
  params: { dataset: 'conversions', format: 'csv' },
  createdAt: '2026-11-20T07:59:57.000Z',
  startedAt: '2026-11-20T07:59:57.120Z',
  finishedAt: at,
  expiresAt: '2026-11-27T08:00:00.000Z',
};

interface Described {
  summary: string;
  data: TObject;
  example: Record<string, unknown>;
}

/** What each kind tells, with an example. */
export const DESCRIBED: Record<Kind, Described> = {
  'event.recorded': {
    summary: 'An event was recorded',
    data: EventData,
    example: {
      id: 'evt_01kaf9m8t0b8w5r2f9j6n3c1xg',
      clientEventId: null,
      event: 'order_placed',
      properties: { email, funnel_id: 'summer-sale', value: 129.9, currency: 'EUR' },
      session,
      lead: { id: lead.id, email },
      isBot: false,
      isInternal: false,
      occurredAt: at,
      receivedAt: at,
      sequence: 1,
    },
  },
  'lead.created': {
    summary: 'A person became known by e-mail',
    data: LeadData,
    example: { ...lead, lastSeenAt: lead.firstSeenAt, sequence: 1 },
  },
  'lead.updated': { summary: 'A lead was seen again', data: LeadData, example: { ...lead, sequence: 2 } },
  'conversion.reported': {
    summary: 'A conversion was reported and attributed',
    data: ConversionData,
    example: { ...conversion, sequence: 1 },
  },
  'conversion.restated': {
    summary: 'A conversion was reported again, and is now this',
    data: ConversionData,
    example: { ...conversion, value: '64.95', sequence: 2 },
  },
  'conversion.matched': {
    summary: 'A conversion that was reported as unmatched has found its session',
    data: ConversionData,
    example: { ...conversion, sequence: 1 },
  },
  'entry.created': {
    summary: 'An entry was created',
    data: EntryData,
    example: { ...entry, version: 1, sequence: 1 },
  },
  'entry.updated': {
    summary: 'An entry was changed, or restored',
    data: EntryData,
    example: { ...entry, values: { headline: 'Winter sale' }, version: 2, sequence: 2 },
  },
  'entry.deleted': {
    summary: 'An entry was deleted',
    data: EntryData,
    example: { ...entry, status: 'deleted', version: 3, sequence: 3 },
  },
  'job.completed': {
    summary: 'A job is done',
    data: JobData,
    example: {
      ...job,
      status: 'completed',
      result: {
        url: 'https://headwater.example/downloads/exports/…',
        format: 'csv',
        rows: 1204,
        bytes: 310482,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
      error: null,
      sequence: 1,
    },
  },
  'job.failed': {
    summary: 'A job has failed',
    data: JobData,
    example: {
      ...job,
      status: 'failed',
      progress: 0.4,
      result: null,
      error: { code: 'internal_error', detail: 'The job met an unexpected condition; the log has it under its id.' },
      sequence: 1,
    },
  },
  'webhook.test': {
    summary: 'The endpoint was tested',
    data: TestData,
    example: { id: 'whk_01kaf9m8t0v9c6n3t1k8p5g2ha', message: 'This is a test.', sequence: 1 },
  },
};

/** The body of a request that pushes a kind. */
export function payloadSchema(kind: Kind) {
  return Type.Object({
    id: Type.String({ description: 'As in the `webhook-id` header: the same at every attempt and endpoint' }),
    type: Type.Literal(kind),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
    data: DESCRIBED[kind].data,
  });
}

const HEADERS = [
  ['webhook-id', 'Names the message; drop what you have seen'],
  ['webhook-timestamp', 'When the attempt was made, in seconds since 1970'],
  [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; two, parted by a space, while a secret is rotated',
  ],
] as const;

/** The `webhooks` of the OpenAPI document: each kind with its payload and an example. */
export function describeWebhooks(): Record<string, object> {
  return Object.fromEntries(
    ALL_KINDS.map((kind) => {
      const { summary, example } = DESCRIBED[kind];
      const body = { id: 'msg_01kaf9m8t0d2x8q5m7v4s1r9ek', type: kind, timestamp: at, data: example };
      const post = {
        operationId: `on${kind.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
        tags: ['Webhooks'],
        summary,
        parameters: HEADERS.map(([name, description]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: payloadSchema(kind), example: body } },
        },
        responses: {
          '2XX': { description: 'Received; it is not sent again' },
          '410': { description: 'The endpoint is gone: it is disabled' },
          default: { description: 'Anything else, redirects included, is a failure; it is sent again' },
        },
      };
      return [kind, { post }];
    }),
  );
}
