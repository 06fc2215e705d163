import type { PlatformForm } from './platform.ts';

export const http = {
  name: 'HTTP',
  credentials: {
    url: {
      label: 'URL',
      description: 'An http or https URL on the public internet, without user name and password.',
      isSecret: false,
      isRequired: true,
      pattern: 'https?://\\S{1,2000}',
      example: 'https://ads.example/conversions',
    },
    secret: {
      label: 'Signing secret',
      description: 'Requests are signed with it according to Standard Webhooks: `whsec_` and Base64 of 24 to 64 bytes.',
      isSecret: true,
      isRequired: true,
      pattern: 'whsec_[A-Za-z0-9+/]{32,88}={0,2}',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    },
    authorization: {
      label: 'Authorization header',
      description: 'Sent with each request, if the receiver needs one.',
      isSecret: true,
      isRequired: false,
      pattern: '[\\x20-\\x7e]{1,2000}',
      example: 'Bearer abc',
    },
    template: {
      label: 'Body template',
      description: 'JSON of one conversion, in which `{{name}}` stands for a member; by default all members.',
      isSecret: false,
      isRequired: false,
      pattern: '[\\s\\S]{2,8000}',
      example: '{"id": "{{id}}", "amount": "{{value}}"}',
    },
  },
  target: {
    label: 'Name',
    description: 'Available in the template as `{{target}}`.',
    pattern: '\\S(.{0,98}\\S)?',
    example: 'purchase',
  },
  clickIds: [],
  uses: { email: true, client: false },
  maxAgeDays: 3650,
  adjustment: 'overwrite',
  validation: 'local',
} satisfies PlatformForm;
