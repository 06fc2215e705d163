import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { useMayWrite } from '../users/rights.ts';
import type { Shareable } from './shared-period.ts';

const SharedLinksDialog = lazy(async () => ({
  default: (await import('./shared-links-dialog.tsx')).SharedLinksDialog,
}));

/** Shares the report by links, and revokes them. */
export function ShareButton({ report }: { report: Shareable }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useMayWrite('analytics')) return null;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="link" size={16} />} onClick={() => setIsOpen(true)}>
        {t('Share')}
      </Button>
      <Suspense>{isOpen && <SharedLinksDialog report={report} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
