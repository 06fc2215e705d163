import type { PlatformForm } from './platform.ts';

export const meta = {
  name: 'Meta',
  credentials: {
    pixelId: {
      label: 'Pixel (dataset) ID',
      description: 'Events Manager, Data sources, Settings.',
      isSecret: false,
      isRequired: true,
      pattern: '[0-9]{1,20}',
      example: '123456789012345',
    },
    accessToken: {
      label: 'Access token',
      description: 'Events Manager, Settings, Conversions API, Generate access token.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'EAAB…',
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
  clickIds: ['fbclid'],
  uses: { email: true, client: true },
  maxAgeDays: 7,
  adjustment: 'none',
  validation: 'platform',
} satisfies PlatformForm;
