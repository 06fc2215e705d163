import type { PlatformForm } from './platform.ts';

export const linkedin = {
  name: 'LinkedIn',
  credentials: {
    accessToken: {
      label: 'Access token',
      description: 'A member token with the scope rw_conversions.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'AQX…',
    },
    clientId: {
      label: 'OAuth client ID',
      description: 'With a refresh token, the access token is renewed when it expires.',
      isSecret: false,
      isRequired: false,
      pattern: '\\S{1,200}',
      example: '86abc',
    },
    clientSecret: {
      label: 'OAuth client secret',
      description: 'Beside the client ID.',
      isSecret: true,
      isRequired: false,
      pattern: '\\S{1,500}',
      example: 'abc',
    },
    refreshToken: {
      label: 'OAuth refresh token',
      description: 'Returned along with the access token.',
      isSecret: true,
      isRequired: false,
      pattern: '\\S{1,2000}',
      example: 'AQX…',
    },
  },
  target: {
    label: 'Conversion rule ID',
    description:
      'Campaign Manager, Measurement, Conversion tracking: the number of a conversion whose source is the Conversions API.',
    pattern: '[0-9]{1,20}',
    example: '1234567',
  },
  clickIds: ['li_fat_id'],
  uses: { email: true, client: false },
  maxAgeDays: 90,
  adjustment: 'none',
  validation: 'local',
} satisfies PlatformForm;
