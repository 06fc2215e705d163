import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { downloadText } from '../shared/download-text.ts';
import { notify } from '../shared/notify.tsx';
import { useMayWrite } from '../users/rights.ts';

/** The prefix of the IDs of erased visitors. */
const ERASED = 'erased:';

/** Exports and erases a visitor without an email. */
export function VisitorActions({ visitorId }: { visitorId: string }) {
  const mayEdit = useMayWrite('analytics');
  const [isErasing, setIsErasing] = useState(false);
  const download = useMutation({ mutationFn: () => downloadVisitor(visitorId) });
  if (visitorId.startsWith(ERASED)) return null;
  return (
    <>
      <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
        {t('Export visitor')}
      </Button>
      {mayEdit && (
        <Button variant="default" color="red" onClick={() => setIsErasing(true)}>
          {t('Erase visitor')}
        </Button>
      )}
      {isErasing && <EraseDialog visitorId={visitorId} onClose={() => setIsErasing(false)} />}
    </>
  );
}

const sessionsOf = (visitorId: string, signal?: AbortSignal) =>
  headwater.listTrackedSessions({ q: visitorId, all: true, pageSize: 100 }, signal && { signal }).all();

function EraseDialog({ visitorId, onClose }: { visitorId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ['tracked-sessions', 'of visitor', visitorId],
    queryFn: ({ signal }) => sessionsOf(visitorId, signal),
  });
  return (
    <ConfirmDialog
      title={t('Erase this visitor?')}
      action={t('Erase permanently')}
      onClose={onClose}
      run={async () => {
        await headwater.eraseVisitor({ visitorId });
        notify(t('The visitor is being erased.'));
        await queryClient.invalidateQueries({ queryKey: ['tracked-sessions'] });
        await navigate({ to: '/sessions' });
      }}
    >
      {t(
        'This removes the visitor ID, click IDs and URL queries of {count, plural, one {the session} other {all # sessions}} of this visitor, the titles of visits, the properties of events except values, the identifiers of conversions, and the files of earlier exports. Counts and revenue remain. It cannot be undone.',
        { count: data?.length ?? 1 },
      )}
    </ConfirmDialog>
  );
}

/** Everything that is stored about a visitor, as JSON. */
async function downloadVisitor(visitorId: string): Promise<void> {
  const sessions = [];
  for (const session of await sessionsOf(visitorId)) {
    const timeline = await headwater.getTimeline({ sessionId: session.id, pageSize: 100 }).all();
    sessions.push({ session, timeline });
  }
  downloadText(`${visitorId}.json`, 'application/json', JSON.stringify({ visitorId, sessions }, null, 2));
}
