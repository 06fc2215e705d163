import { type Static, Type } from 'typebox';
import { Time } from '../shared/http/schemas.ts';

const QueueAlarm = Type.Object(
  {
    queue: Type.String({ description: '`destinations`, `webhooks`, `jobs`, `imports`, `releases` and so on' }),
    label: Type.String(),
    subject: Type.String({
      description: 'What waits: the name of a destination, the URL of a webhook, the type of a job',
    }),
    since: Time({ description: 'When the oldest was due' }),
    raisedAt: Time(),
  },
  { title: 'QueueAlarm' },
);
export type QueueAlarm = Static<typeof QueueAlarm>;

export const QueueAlarms = Type.Object({ alarms: Type.Array(QueueAlarm) });
