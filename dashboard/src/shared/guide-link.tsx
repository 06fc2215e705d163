import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** A link to a page of the guide, which opens beside the dashboard. @param to such as `tracking#countries-and-regions` */
export const GuideLink = ({ to, children, ...props }: AnchorProps & { to: string; children: ReactNode }) => (
  <Anchor href={`/guide/${to}`} target="_blank" rel="noreferrer" size="sm" underline="always" {...props}>
    {children}
  </Anchor>
);
