import type { ConversionImport } from '@headwater/sdk';
import { Button, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { DescriptionList } from '../shared/description-list.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { formatDateTime, formatNumber } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { IMPORTS_KEY, STATUS_LABELS } from './conversion-imports.tsx';

const POLL_MS = 1_000;

export function ConversionImportPage() {
  const { importId } = useParams({ from: '/shell/conversions/imports/$importId' });
  const query = useQuery({
    queryKey: ['conversion import', importId],
    queryFn: ({ signal }) => headwater.getConversionImport({ importId }, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'undoing' ? POLL_MS : false),
  });
  return <Loaded query={query}>{(data) => <ImportDetails data={data} />}</Loaded>;
}

function ImportDetails({ data }: { data: ConversionImport }) {
  const { id, name, status, reported, unmatched, failed, undo, createdAt, undoneAt } = data;
  const mayEdit = useMayWrite('conversions');
  const [isConfirming, setIsConfirming] = useState(false);
  const done = undo ? undo.withdrawn + undo.reverted + undo.deletedUnmatched : 0;
  return (
    <Page
      title={name}
      description={t('Imported {createdAt}', { createdAt: formatDateTime(createdAt) })}
      back={{ to: '/conversions/add', label: t('Add conversions') }}
      actions={
        mayEdit &&
        status === 'active' && (
          <Button variant="default" onClick={() => setIsConfirming(true)}>
            {t('Undo import')}
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          [t('Status'), STATUS_LABELS[status]],
          [t('Imported'), formatNumber(reported)],
          [t('Unmatched'), formatNumber(unmatched)],
          [t('Invalid'), formatNumber(failed)],
        ]}
      />
      {undo && (
        <Stack className="surface" p="lg" gap="sm" role="status">
          {status === 'undoing' && (
            <Progress value={(done / Math.max(1, reported + unmatched)) * 100} aria-label={t('Progress of the undo')} />
          )}
          <Text size="sm">
            {t(
              '{status}{withdrawn} withdrawn, {reverted} reverted to their earlier values, {deletedUnmatched} unmatched deleted.',
              {
                status:
                  status === 'undoing'
                    ? `${t('Undoing the import:')} `
                    : `${t('Undone {undoneAt}:', { undoneAt: undoneAt ? formatDateTime(undoneAt) : '' })} `,
                withdrawn: formatNumber(undo.withdrawn),
                reverted: formatNumber(undo.reverted),
                deletedUnmatched: formatNumber(undo.deletedUnmatched),
              },
            )}
          </Text>
        </Stack>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={t('Undo the import of {name}?', { name })}
          action={t('Undo import')}
          onClose={() => setIsConfirming(false)}
          run={async () => {
            await headwater.undoConversionImport({ importId: id });
            void queryClient.invalidateQueries({ queryKey: IMPORTS_KEY });
            void queryClient.invalidateQueries({ queryKey: ['conversion import', id] });
          }}
        >
          {t(
            'Conversions that only this import reported no longer count. Others get the values of their other reports back. Unmatched ones are deleted. The report history keeps everything. An import that was undone cannot be restored.',
          )}
        </ConfirmDialog>
      )}
    </Page>
  );
}
