import type { Release } from '@headwater/sdk';

export const STATUS_LABELS: Record<Release['status'], string> = {
  open: 'Open',
  scheduled: 'Scheduled',
  completed: 'Published',
  failed: 'Failed',
  canceled: 'Canceled',
};

export const STATUS_COLORS: Record<Release['status'], string> = {
  open: 'gray',
  scheduled: 'blue',
  completed: 'teal',
  failed: 'red',
  canceled: 'gray',
};
