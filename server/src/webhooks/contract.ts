import { type Static, type TSchema, Type } from 'typebox';
import { ALL_KINDS, KINDS } from './kinds.ts';

const strict = { additionalProperties: false };
const Time = Type.String({ format: 'date-time' });
const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

const Url = Type.String({
  maxLength: 2048,
  description: 'http or https, reached from the public internet, without user and password',
});
const Events = orNull(
  Type.Array(Type.Enum([...KINDS]), { minItems: 1, uniqueItems: true }),
  'What is pushed to it; null: everything',
);
const Description = orNull(Type.String({ maxLength: 1000 }));

/** An endpoint as it is answered. */
export const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events: orNull(Type.Array(Type.String()), 'What is pushed to it; null: everything'),
    description: orNull(Type.String()),
    status: Type.Enum(['active', 'disabled', 'deleted']),
    disabledReason: orNull(
      Type.Enum(['requested', 'gone', 'failing']),
      '`requested`: by a PATCH; `gone`: it answered 410; `failing`: 5 days of nothing but failures',
    ),
    failingSince: orNull(Time, 'The first failed attempt since the latest that succeeded'),
    previousSecretUntil: orNull(Time, 'Until when the secret before this one signs as well'),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'Webhook' },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({ description: '`whsec_…`, which payloads are signed with; answered this once' }),
  },
  { title: 'WebhookWithSecret' },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const WebhookPage = Type.Object({
  webhooks: Type.Array(Webhook),
  nextPageToken: orNull(Type.String()),
});

/** Body of `POST /v1/webhooks`. */
export const NewWebhook = Type.Object(
  { url: Url, events: Type.Optional(Events), description: Type.Optional(Description) },
  strict,
);
export type NewWebhook = Static<typeof NewWebhook>;

/** Body of `PATCH /v1/webhooks/{id}`: what is not named stays as it is. */
export const WebhookChange = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    status: Type.Optional(Type.Enum(['active', 'disabled'])),
  },
  strict,
);
export type WebhookChange = Static<typeof WebhookChange>;

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const delivery = {
  id: Type.String({ description: 'The `webhook-id` that the endpoint sees' }),
  type: Type.String(),
  status: Type.Enum([...DELIVERY_STATUSES]),
  attempts: Type.Array(
    Type.Object({
      status: orNull(Type.Integer(), 'Of the answer; null where none came'),
      ms: Type.Integer(),
      error: orNull(Type.String(), 'Why it failed: a code, perhaps with `: ` and a sentence'),
      answer: orNull(Type.String(), 'How the body of an answer begins that is no success, at most 1,000 characters'),
      at: Time,
    }),
    { description: 'Oldest first' },
  ),
  nextAttemptAt: orNull(Time),
  createdAt: Time,
};

export const Delivery = Type.Object(delivery, { title: 'WebhookDelivery' });
export type Delivery = Static<typeof Delivery>;

export const DeliveryWithPayload = Type.Object(
  { ...delivery, payload: Type.Unsafe<unknown>({ type: 'object', additionalProperties: true }) },
  { title: 'WebhookDeliveryWithPayload' },
);

export const DeliveryPage = Type.Object({
  deliveries: Type.Array(Delivery),
  nextPageToken: orNull(Type.String()),
});

const paging = {
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 unless sent' })),
  pageToken: Type.Optional(
    Type.String({ description: 'The `nextPageToken` of the page before, unchanged; empty is the first page' }),
  ),
};

export const WebhooksQuery = Type.Object(paging, strict);
export const DeliveriesQuery = Type.Object(
  {
    ...paging,
    status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
    type: Type.Optional(Type.Enum([...ALL_KINDS])),
  },
  strict,
);
export type DeliveriesQuery = Static<typeof DeliveriesQuery>;

export const WebhookPath = Type.Object({ id: Type.String() });
export const DeliveryPath = Type.Object({ id: Type.String(), deliveryId: Type.String() });

export const Nothing = Type.Unsafe<unknown>({
  type: ['object', 'null'],
  additionalProperties: false,
  description: 'Nothing',
});

/** Body of `POST /v1/webhooks/{id}/replay`. */
export const Replay = Type.Object(
  {
    deliveryId: Type.Optional(Type.String({ description: 'This one, whatever became of it' })),
    status: Type.Optional(
      Type.Enum(['failed', 'delivered'], { description: 'All that ended so; `failed` unless sent' }),
    ),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Created at this time or later' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Created before this time' })),
  },
  { ...strict, minProperties: 1 },
);
export type Replay = Static<typeof Replay>;

export const DEFAULT_PAGE_SIZE = 50;
