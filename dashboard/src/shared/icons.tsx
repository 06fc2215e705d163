import type { SVGProps } from 'react';

/** Single-stroke paths on a 24 by 24 grid. */
const PATHS = {
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  overview: 'M4 19V11M10 19V5M16 19v-6M21 19H3',
  content: 'M5 4h14v6H5zM5 14h6v6H5zM15 14h4v6h-4z',
  files: 'M4 6h16v12H4zM4 15l4.5-4 4 4 2.5-2 5 4M15.5 9.5h.01',
  folder: 'M4 6h6l2 2h8v11H4z',
  exports: 'M12 4v10M8 10.5l4 4 4-4M5 19h14',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 5v4M11 15v4',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM20 20l-4.6-4.6',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7',
  restore: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5',
  edit: 'M5 19l1-4L16.5 4.5l3 3L9 18z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  filter: 'M4 6h16M7 12h10M10 18h4',
  columns: 'M4 5h16v14H4zM9.5 5v14M14.5 5v14',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  right: 'M9 5l7 7-7 7',
  left: 'M15 5l-7 7 7 7',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1 1M17.4 17.4l1 1M18.4 5.6l-1 1M6.6 17.4l-1 1',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l9-9M16.5 6.5l3 3',
  code: 'M8.5 7L3.5 12l5 5M15.5 7l5 5-5 5',
  shield: 'M12 3.5l7 2.5v6c0 4-3 7-7 8.5-4-1.5-7-4.5-7-8.5V6z',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  book: 'M5 4.5h6a1.5 1.5 0 0 1 1 .5 1.5 1.5 0 0 1 1-.5h6v14h-6l-1 1-1-1H5zM12 5v14',
  upload: 'M12 15V5M8 8.5l4-4 4 4M5 19h14',
  warning: 'M12 4.5L21 19.5H3zM12 10v4M12 17h.01',
  video: 'M4 5h16v14H4zM8 5v14M16 5v14M4 12h16',
  out: 'M14 4h6v16h-6M4 12h11M11 8l4 4-4 4',
  user: 'M12 4.5a3.7 3.7 0 1 0 0 7.5 3.7 3.7 0 0 0 0-7.5zM5 20c.5-4 3.3-5.5 7-5.5s6.5 1.5 7 5.5',
  users:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 19.5c.4-3.6 2.6-5 6-5s5.6 1.4 6 5M16 5.5a3.3 3.3 0 0 1 0 6M18 15c1.8.7 2.8 2.2 3 4.5',
  switcher: 'M8 9.5l4-4 4 4M8 14.5l4 4 4-4',
  send: 'M4 12l16-7-6 15-3-6.5z M11 13.5L20 5',
  coins:
    'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM14.5 9.3c-.4-.8-1.3-1.3-2.5-1.3-1.5 0-2.6.7-2.6 1.9 0 2.8 5.4 1.2 5.4 4.1 0 1.3-1.2 2-2.8 2-1.3 0-2.3-.5-2.7-1.4M12 6.5V8M12 16v1.5',
  flag: 'M6 21V4M6 5h11l-2.5 4L17 13H6',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name, ...rest }: { name: IconName; size?: number } & SVGProps<SVGSVGElement>) => (
  <StrokeIcon path={PATHS[name]} strokeWidth={name === 'drag' || name === 'more' ? 2.6 : 1.7} {...rest} />
);

/** An icon of a page of its own, which the first page does not load. */
export function StrokeIcon({ path, size = 18, ...rest }: { path: string; size?: number } & SVGProps<SVGSVGElement>) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      // Beside a text of several lines.
      style={{ flexShrink: 0 }}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      <path d={path} />
    </svg>
  );
}
