import type { OutgoingEvent, Platform } from './platform.ts';
import { API_VERSIONS } from './versions.ts';

export const taboola = {
  name: 'Taboola',
  credentials: {
    accountId: {
      label: 'Account ID',
      description: 'Taboola Ads: the number in the pixel code.',
      isSecret: false,
      decidesHost: false,
      isRequired: true,
      pattern: '[0-9]{1,20}',
      example: '1234567',
    },
  },
  target: {
    label: 'Event name',
    description: 'Tracking, Conversions: the event name of a server-to-server conversion.',
    pattern: '[A-Za-z0-9_.-]{1,64}',
    example: 'make_purchase',
  },
  clickIds: ['tblci'],
  uses: { email: false, client: false },
  maxAgeDays: 30,
  adjustment: 'none',
  validation: 'local',
  needs: 'click id',
  needsCurrency: true,
  hosts: { api: 'https://trc.taboola.com' },
  version: API_VERSIONS.taboola.version,
  batch: 1000,
  requestsPerMinute: 600,
  // Repeated orders are not documented to be recognized, so nothing is repeated whose answer was lost.
  dedupeHours: 0,
  build(events, { credentials: { accountId }, hosts, version }) {
    return {
      method: 'POST',
      url: `${hosts.api}/${accountId}/log/${version}/bulk-s2s-action`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actions: events.map(actionOf) }),
    };
  },
  read: () => undefined,
} satisfies Platform;

function actionOf({ clickId, target, occurredAt, value, currency, wireId }: OutgoingEvent) {
  return {
    'click-id': clickId?.value,
    timestamp: occurredAt,
    name: target,
    ...(value !== null && { revenue: value, currency }),
    orderid: wireId,
  };
}
