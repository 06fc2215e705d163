import { Type } from 'typebox';
import { exampleTime } from './common.ts';
import { REGISTRY } from './registry.ts';
import { ALL_TOPICS, type Topic } from './topic.ts';

/** What the messages of all topics have. */
const Envelope = Type.Object(
  {
    id: Type.String({
      description:
        'The `webhook-id` header: the same for every attempt, and for all endpoints that select the same payload',
    }),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
  },
  { title: 'WebhookEnvelope' },
);

/** Schema of the request body that delivers a topic. */
export function payloadSchema(topic: Topic) {
  const own = Type.Object({ type: Type.Literal(topic), data: REGISTRY[topic].data });
  return { allOf: [Envelope, own] as const };
}

const HEADERS = [
  ['webhook-id', 'Identifies the message. Ignore messages that you have already processed.'],
  ['webhook-timestamp', 'When the attempt was made, in seconds since 1970'],
  [
    'webhook-signature',
    '`v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`, with `ed25519` also `v1a,` and the Base64 of its Ed25519 signature, separated by a space. Two of each for 24 hours after the secret was rotated.',
  ],
] as const;

const parameters = HEADERS.map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

const responses = {
  '2XX': { description: 'Received. The message is not sent again.' },
  '410': { description: 'The endpoint no longer exists. The webhook is disabled.' },
  default: { description: 'Failure, redirects included. The message is sent again later.' },
};

/** The `webhooks` of the OpenAPI document: each topic with its payload and an example. */
export function webhookPathItems(): Record<string, object> {
  return Object.fromEntries(ALL_TOPICS.map((topic) => [topic, { post: operation(topic) }]));
}

function operation(topic: Topic) {
  const { summary, example: data } = REGISTRY[topic];
  const example = { id: 'msg_01kaf9m8t0d2x8q5m7v4s1r9ek', type: topic, timestamp: exampleTime, data };
  return {
    operationId: `on${topic.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ['Webhooks'],
    summary,
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema: payloadSchema(topic), example } } },
    responses,
  };
}
