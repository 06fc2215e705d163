import { type Static, Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, readOnly, STRICT, Time } from '../shared/http/schemas.ts';
import { LIMITS } from './limits.ts';
import { ALL_TOPICS, TOPICS } from './topics/topic.ts';

const Url = Type.String({
  maxLength: LIMITS.urlLength,
  description: 'An http or https URL on the public internet, without user name and password',
});
const TOPICS_DESCRIPTION = { description: 'The topics to send; null sends all of them' };
const TopicName = Type.Enum([...TOPICS], { title: 'WebhookTopic' });
const Events = orNull(Type.Array(TopicName, { minItems: 1, uniqueItems: true }), TOPICS_DESCRIPTION);
const COLLECTIONS = {
  description:
    'The collections whose entries are sent, by ID or key; returned as IDs. null: all. Events that are not about entries are always sent',
};
const CollectionIds = orNull(
  Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  { ...COLLECTIONS, title: 'WebhookCollections' },
);
/** Names of members, separated by dots. */
const Field = Type.String({
  maxLength: LIMITS.fieldLength,
  pattern: '^[^.\\u0000-\\u001f]+(?:\\.[^.\\u0000-\\u001f]+)*$',
});
const Scalar = Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean(), Type.Null()]);
const Filter = Type.Object(
  {
    field: Field,
    operator: Type.Enum(['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'exists']),
    value: Type.Union([Scalar, Type.Array(Scalar, { minItems: 1, maxItems: 100 })], {
      description:
        'A list for `in`; true or false for `exists`; a text or number for the others, and for `eq` and `ne` also a boolean or null',
    }),
  },
  { ...STRICT, title: 'WebhookFilter' },
);
export type Filter = Static<typeof Filter>;

const choices = {
  payload: Type.Enum(['full', 'thin'], {
    title: 'WebhookPayloadSize',
    description:
      '`thin`: `data` contains only what identifies the resource: `id`, `sequence` and, of entries, `collectionId`',
  }),
  fields: orNull(Type.Array(Field, { minItems: 1, maxItems: LIMITS.fields, uniqueItems: true }), {
    title: 'WebhookFields',
    description:
      'The members of `data` to send, such as `value` or `session.campaign`, besides `id`, `sequence` and `collectionId`; null sends all',
  }),
  ordering: Type.Enum(['none', 'resource'], {
    title: 'WebhookOrdering',
    description:
      '`resource`: the messages of one entry, lead, conversion or other resource are sent one after another in the order of their `sequence`, the next one once the one before is delivered or has failed for good',
  }),
  filters: orNull(Type.Array(Filter, { minItems: 1, maxItems: LIMITS.filters }), {
    title: 'WebhookFilters',
    description:
      'Conditions on members of `data`: only messages that meet all of them are sent. `lt`, `lte`, `gt` and `gte` compare texts, or, with a number, also amounts of money as numbers; members that cannot be compared do not meet them',
  }),
};
const changeableChoices = {
  payload: Type.Optional(choices.payload),
  fields: Type.Optional(choices.fields),
  ordering: Type.Optional(choices.ordering),
  filters: Type.Optional(choices.filters),
  ed25519: Type.Optional(
    Type.Boolean({
      description: 'Also sign with Ed25519 (`v1a`), which whoever has the `publicKey` can verify, but not forge',
    }),
  ),
};
const Description = orNull(Type.String({ maxLength: LIMITS.descriptionLength }));

export const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events: orNull(Type.Array(Type.String()), TOPICS_DESCRIPTION),
    collectionIds: orNull(Type.Array(Type.String()), COLLECTIONS),
    ...choices,
    ed25519: Type.Boolean({ description: 'Whether messages are also signed with Ed25519 (`v1a`)' }),
    publicKey: orNull(Type.String(), { description: 'Verifies Ed25519 signatures: `whpk_` and 32 bytes in Base64' }),
    description: orNull(Type.String()),
    status: Type.Enum(['active', 'disabled', 'deleted']),
    disabledReason: orNull(Type.Enum(['requested', 'gone', 'failing']), {
      description:
        '`requested`: by a PATCH; `gone`: the endpoint responded with 410; `failing`: every attempt of 5 days failed',
    }),
    failingSince: orNull(Time(), { description: 'The first failed attempt since the last successful one' }),
    previousSecretUntil: orNull(Time(), { description: 'Until when the previous secret also signs' }),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Webhook' },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({ description: 'The signing secret, `whsec_…`. Returned only here.' }),
  },
  { title: 'WebhookWithSecret' },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const WebhookPage = Type.Object({ webhooks: Type.Array(Webhook), nextPageToken: NextPageToken });

const stored = readOnly(
  'id',
  'publicKey',
  'disabledReason',
  'failingSince',
  'previousSecretUntil',
  'createdAt',
  'updatedAt',
);

/** Body of `POST /v1/webhooks`. */
export const NewWebhook = Type.Object(
  {
    ...stored,
    ...readOnly('status'),
    url: Url,
    events: Type.Optional(Events),
    collectionIds: Type.Optional(CollectionIds),
    ...changeableChoices,
    description: Type.Optional(Description),
  },
  STRICT,
);
export type NewWebhook = Static<typeof NewWebhook>;

/** Body of `PATCH /v1/webhooks/{id}`: omitted members stay unchanged. */
export const WebhookChange = Type.Object(
  {
    ...stored,
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    collectionIds: Type.Optional(CollectionIds),
    ...changeableChoices,
    description: Type.Optional(Description),
    status: Type.Optional(Type.Enum(['active', 'disabled'])),
  },
  STRICT,
);
export type WebhookChange = Static<typeof WebhookChange>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const Attempt = Type.Object(
  {
    status: orNull(Type.Integer(), { description: 'HTTP status of the response; null without a response' }),
    ms: Type.Integer(),
    error: orNull(Type.String(), {
      description: 'Why the attempt failed: a code, optionally followed by `: ` and an explanation',
    }),
    response: orNull(Type.String(), {
      description: 'The first 1,000 characters of the body of an unsuccessful response',
    }),
    at: Time(),
  },
  { title: 'WebhookAttempt' },
);

const delivery = {
  id: Type.String({ description: 'The `webhook-id` header of its requests' }),
  type: Type.String(),
  status: Type.Enum([...DELIVERY_STATUSES]),
  attempts: Type.Array(Attempt, { description: 'Oldest first' }),
  nextAttemptAt: orNull(Time()),
  createdAt: Time(),
};

export const Delivery = Type.Object(delivery, { title: 'WebhookDelivery' });
export type Delivery = Static<typeof Delivery>;

export const DeliveryWithPayload = Type.Object(
  { ...delivery, payload: Type.Unsafe<unknown>({ type: 'object', additionalProperties: true }) },
  { title: 'WebhookDeliveryWithPayload' },
);

export const DeliveryPage = Type.Object({ deliveries: Type.Array(Delivery), nextPageToken: NextPageToken });

export const WebhooksQuery = Type.Object(pageQuery, STRICT);
export const DeliveriesQuery = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
    type: Type.Optional(Type.Enum([...ALL_TOPICS])),
  },
  STRICT,
);
export type DeliveriesQuery = Static<typeof DeliveriesQuery>;

export const WebhookPath = Type.Object({ id: Type.String() });
export const DeliveryPath = Type.Object({ id: Type.String(), deliveryId: Type.String() });

export const EmptyBody = Type.Unsafe<unknown>({
  type: ['object', 'null'],
  additionalProperties: false,
  description: 'Empty',
});

/** Body of `POST /v1/webhooks/{id}/replay`. */
export const Replay = Type.Object(
  {
    deliveryId: Type.Optional(Type.String({ description: 'Replay only this delivery, whatever its status' })),
    status: Type.Optional(
      Type.Enum(['failed', 'delivered'], { description: 'Replay deliveries with this status; default `failed`' }),
    ),
    from: Type.Optional(Time({ description: 'Created at this time or later' })),
    to: Type.Optional(Time({ description: 'Created before this time' })),
  },
  { ...STRICT, minProperties: 1 },
);
export type Replay = Static<typeof Replay>;

export const Arrival = Type.Object(
  {
    id: Type.String(),
    at: Time(),
    webhookId: orNull(Type.String(), { description: 'The webhook whose signature is valid' }),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String({ description: 'Up to 65,536 characters' }),
    bytes: Type.Integer({ description: 'Of the whole body' }),
    signature: Type.Enum(['valid', 'invalid', 'missing', 'unknown'], {
      description: '`unknown`: no webhook of the account sends to this URL',
    }),
  },
  { title: 'WebhookArrival' },
);
export type Arrival = Static<typeof Arrival>;
export const TestEndpointState = Type.Object(
  { url: Type.String(), keptHours: Type.Integer(), arrivals: Type.Array(Arrival) },
  { title: 'WebhookTestEndpoint' },
);
export const DeletedArrivals = Type.Object({ success: Type.Boolean() });
