import type { PlatformForm } from './platform.ts';

export const snapchat = {
  name: 'Snapchat',
  credentials: {
    pixelId: {
      label: 'Pixel ID',
      description: 'Ads Manager, Events Manager.',
      isSecret: false,
      isRequired: true,
      pattern: '[A-Za-z0-9-]{1,64}',
      example: '00000000-0000-0000-0000-000000000000',
    },
    accessToken: {
      label: 'Access token',
      description: 'Business settings, Conversions API tokens.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'eyJ…',
    },
  },
  target: {
    label: 'Event name',
    description: 'A standard event such as `PURCHASE` or `SIGN_UP`, or `CUSTOM_EVENT_1` to `CUSTOM_EVENT_5`.',
    pattern: '[A-Z][A-Z0-9_]{1,49}',
    example: 'PURCHASE',
  },
  clickIds: ['sclid'],
  uses: { email: true, client: true },
  maxAgeDays: 37,
  adjustment: 'none',
  validation: 'platform',
} satisfies PlatformForm;
