import type { PlatformForm } from './platform.ts';

export const outbrain = {
  name: 'Outbrain',
  credentials: {},
  target: {
    label: 'Event name',
    description: 'Conversions: the name of a server-to-server conversion.',
    pattern: '\\S(.{0,62}\\S)?',
    example: 'Purchase',
  },
  clickIds: ['ob_click_id'],
  uses: { email: false, client: false },
  maxAgeDays: 30,
  adjustment: 'none',
  validation: 'local',
} satisfies PlatformForm;
