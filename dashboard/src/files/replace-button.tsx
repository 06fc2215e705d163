import type { FileWithUses } from '@headwater/sdk';
import { Alert, Button, Progress, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { notify } from '../shared/notify.tsx';
import { ACCEPTED } from './accepted.ts';

/** Replaces the content of a file; entries then show the new one. */
export function ReplaceButton({ file: { assetId, type } }: { file: FileWithUses }) {
  const picker = useRef<HTMLInputElement>(null);
  const [progress, setProgress] = useState(0);
  const replace = useMutation({
    meta: { shown: true },
    mutationFn: (file: File) => {
      setProgress(0);
      return headwater.replaceFile({ assetId }, { file }, { onProgress: setProgress });
    },
    onSuccess: () => {
      notify(t('The file was replaced. Entries show the new one.'));
      // Entries contain the URL of the file, which has changed.
      void queryClient.invalidateQueries();
    },
  });
  return (
    <Stack gap="xs">
      <input
        ref={picker}
        type="file"
        accept={ACCEPTED[type]}
        hidden
        aria-label={t('Replacement file')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file) replace.mutate(file);
        }}
      />
      <Button variant="default" loading={replace.isPending} onClick={() => picker.current?.click()}>
        {type === 'image' ? t('Replace image') : type === 'video' ? t('Replace video') : t('Replace file')}
      </Button>
      {replace.isPending && <Progress value={progress * 100} size="sm" aria-label={t('Upload progress')} />}
      {replace.isError && (
        <Alert color="red" variant="light" role="alert">
          {errorMessage(replace.error).detail}
        </Alert>
      )}
    </Stack>
  );
}
