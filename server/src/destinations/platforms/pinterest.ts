import type { PlatformForm } from './platform.ts';

export const pinterest = {
  name: 'Pinterest',
  credentials: {
    adAccountId: {
      label: 'Ad account ID',
      description: 'Ads Manager: the number in the URL.',
      isSecret: false,
      isRequired: true,
      pattern: '[0-9]{1,20}',
      example: '549755885175',
    },
    accessToken: {
      label: 'Access token',
      description: 'Ads Manager, Conversions, Conversion access token.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'pina_abc',
    },
  },
  target: {
    label: 'Event name',
    description:
      '`checkout`, `lead`, `signup`, `add_to_cart`, `page_visit`, `search`, `view_category`, `watch_video` or `custom`.',
    pattern: 'checkout|lead|signup|add_to_cart|page_visit|search|view_category|watch_video|custom',
    example: 'checkout',
  },
  clickIds: ['epik'],
  uses: { email: true, client: true },
  maxAgeDays: 7,
  adjustment: 'none',
  validation: 'platform',
} satisfies PlatformForm;
