import type { PlatformForm } from './platform.ts';

export const reddit = {
  name: 'Reddit',
  credentials: {
    pixelId: {
      label: 'Pixel ID',
      description: 'Events Manager: the ID of the pixel.',
      isSecret: false,
      isRequired: true,
      pattern: '[A-Za-z0-9_]{1,64}',
      example: 't2_abc123',
    },
    accessToken: {
      label: 'Access token',
      description: 'Events Manager, Conversions API, Generate access token.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'eyJ…',
    },
  },
  target: {
    label: 'Event name',
    description: 'A standard event such as `PURCHASE`, `LEAD` or `SIGN_UP`, or the name of a custom event.',
    pattern: '\\S(.{0,62}\\S)?',
    example: 'PURCHASE',
  },
  clickIds: ['rdt_cid'],
  uses: { email: true, client: true },
  maxAgeDays: 7,
  adjustment: 'none',
  validation: 'platform',
} satisfies PlatformForm;
