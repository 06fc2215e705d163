import type { CredentialField, Platform } from './platform.ts';

/** What the interfaces of pixels have in common. */
export const pixel = {
  target: {
    label: 'Event name',
    description: 'A standard event such as `Purchase` or `Lead`, or the name of a custom event.',
    pattern: '\\S(.{0,48}\\S)?',
    example: 'Purchase',
  },
  uses: { email: true, client: true },
  maxAgeDays: 7,
  adjustment: 'none',
  validation: 'platform',
  validatesWith: 'testEventCode',
  needs: 'click id or email',
  needsCurrency: true,
  batch: 1000,
  requestsPerMinute: 600,
  dedupeHours: 48,
} satisfies Partial<Platform>;

export const testEventCode: CredentialField = {
  label: 'Test event code',
  description: 'Events Manager, Test events. Used by tests and in mode `validate`.',
  isSecret: false,
  decidesHost: false,
  isRequired: false,
  pattern: '\\S{1,50}',
  example: 'TEST12345',
};
