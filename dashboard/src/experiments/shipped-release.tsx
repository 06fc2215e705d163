import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { lazy } from '../shared/lazy.tsx';

const ReleaseDrawer = lazy(() => import('../releases/release-drawer.tsx'));

/** What shipping published, or will. */
export function ShippedRelease({ releaseId }: { releaseId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data: release, refetch } = useQuery({
    queryKey: ['releases', releaseId],
    queryFn: ({ signal }) => headwater.getRelease({ releaseId }, { signal }),
  });
  return (
    <>
      <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setIsOpen(true)}>
        {t('The values of the shipped variant are a release.')}
      </Anchor>
      <Suspense>
        {isOpen && release && (
          <ReleaseDrawer release={release} onChanged={() => refetch()} onClose={() => setIsOpen(false)} />
        )}
      </Suspense>
    </>
  );
}
