import type { PlatformForm } from './platform.ts';

export const taboola = {
  name: 'Taboola',
  credentials: {
    accountId: {
      label: 'Account ID',
      description: 'Taboola Ads: the number in the pixel code.',
      isSecret: false,
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
} satisfies PlatformForm;
