import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useMayEdit } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import type { Shareable } from './shared-period.ts';

const SharedLinksDialog = lazy(async () => ({
  default: (await import('./shared-links-dialog.tsx')).SharedLinksDialog,
}));

/** Shares the report by links, and revokes them. */
export function ShareButton({ report }: { report: Shareable }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useMayEdit()) return null;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="link" size={16} />} onClick={() => setIsOpen(true)}>
        Share
      </Button>
      <Suspense>{isOpen && <SharedLinksDialog report={report} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
