import type { PlatformForm } from './platform.ts';

export const tiktok = {
  name: 'TikTok',
  credentials: {
    pixelId: {
      label: 'Pixel code',
      description: 'TikTok Ads Manager, Tools, Events: the code of the pixel.',
      isSecret: false,
      isRequired: true,
      pattern: '[A-Za-z0-9]{1,40}',
      example: 'C4A1B2C3D4E5F6G7H8I9',
    },
    accessToken: {
      label: 'Access token',
      description: 'Events Manager, pixel, Settings, Events API, Generate access token.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'abc123',
    },
    testEventCode: {
      label: 'Test event code',
      description: 'Events Manager, Test events. Used by tests and in mode `validate`.',
      isSecret: false,
      isRequired: false,
      pattern: '\\S{1,50}',
      example: 'TEST12345',
    },
  },
  target: {
    label: 'Event name',
    description: 'A standard event such as `Purchase` or `Lead`, or the name of a custom event.',
    pattern: '\\S(.{0,48}\\S)?',
    example: 'Purchase',
  },
  clickIds: ['ttclid'],
  uses: { email: true, client: true },
  maxAgeDays: 7,
  adjustment: 'none',
  validation: 'platform',
} satisfies PlatformForm;
