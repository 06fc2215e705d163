import type { IconName } from '../shared/icons.tsx';

export interface Destination {
  to: string;
  label: string;
  icon: IconName;
  /** Words that lead here besides its name. */
  keywords: string[];
}

/** The pages of the dashboard, as the navigation and the command palette show them. */
export const DESTINATIONS: { main: Destination[]; settings: Destination[] } = {
  main: [
    { to: '/content', label: 'Content', icon: 'content', keywords: ['collections', 'entries', 'cms'] },
    { to: '/files', label: 'Files', icon: 'files', keywords: ['images', 'videos', 'assets', 'media', 'upload'] },
    { to: '/exports', label: 'Exports', icon: 'exports', keywords: ['csv', 'parquet', 'download', 'jobs'] },
  ],
  settings: [
    { to: '/settings/installation', label: 'Installation', icon: 'code', keywords: ['snippet', 'script', 'postback'] },
    {
      to: '/settings/tracking',
      label: 'Tracking',
      icon: 'shield',
      keywords: ['origins', 'retention', 'addresses', 'privacy'],
    },
  ],
};
