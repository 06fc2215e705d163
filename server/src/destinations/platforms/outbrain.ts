import type { Platform } from './platform.ts';
export const outbrain = {
  name: 'Outbrain',
  credentials: {},
  target: {
    label: 'Event name',
    description: 'Conversions: the name of a server-to-server conversion.',
    pattern: '\\S(.{0,62}\\S)?',
    example: 'Purchase',
  },
  clickIds: ['ob_click_id'],
  uses: { email: false, client: false },
  maxAgeDays: 30,
  adjustment: 'none',
  validation: 'local',
  needs: 'click id',
  needsCurrency: true,
  hosts: { api: 'https://tr.outbrain.com' },
  version: '',
  batch: 1,
  requestsPerMinute: 3000,
  // Repeated orders are not documented to be recognized, so nothing is repeated whose answer was lost.
  dedupeHours: 0,
  build([event], { hosts }) {
    const query = new URLSearchParams({
      ob_click_id: event?.clickId?.value ?? '',
      name: event?.target ?? '',
      orderId: event?.wireId ?? '',
    });
    if (event?.value != null) {
      query.set('orderValue', event.value);
      query.set('currency', event.currency ?? '');
    }
    return { method: 'GET', url: `${hosts.api}/unifiedPixel?${query}`, headers: {}, body: '' };
  },
  read: () => undefined,
} satisfies Platform;
