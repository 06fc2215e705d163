import type { PlatformForm } from './platform.ts';

export const x = {
  name: 'X',
  credentials: {
    pixelId: {
      label: 'Pixel ID',
      description: 'Ads Manager, Events Manager.',
      isSecret: false,
      isRequired: true,
      pattern: '[A-Za-z0-9]{1,20}',
      example: 'o8z6j',
    },
    consumerKey: {
      label: 'API key',
      description: 'X developer portal, Keys and tokens.',
      isSecret: false,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: 'abc',
    },
    consumerSecret: {
      label: 'API key secret',
      description: 'Beside the API key.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: 'abc',
    },
    accessToken: {
      label: 'Access token',
      description: 'X developer portal, Keys and tokens, of a user of the ad account.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: '123-abc',
    },
    accessTokenSecret: {
      label: 'Access token secret',
      description: 'Beside the access token.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: 'abc',
    },
  },
  target: {
    label: 'Event ID',
    description: 'Events Manager: the ID of the event, `tw-…`.',
    pattern: 'tw-[a-z0-9]+-[a-z0-9]+',
    example: 'tw-o8z6j-o8z21',
  },
  clickIds: ['twclid'],
  uses: { email: true, client: true },
  maxAgeDays: 90,
  adjustment: 'none',
  validation: 'local',
} satisfies PlatformForm;
