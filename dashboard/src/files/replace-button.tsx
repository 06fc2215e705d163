import type { FileWithUses } from '@headwater/sdk';
import { Alert, Button, Progress, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { messageOf } from '../shared/messages.ts';
import { tell } from '../shared/notify.tsx';
import { ACCEPTED } from './accepted.ts';

/** Gives a file other bytes; entries go on showing it. */
export function ReplaceButton({ file: { assetId, type } }: { file: FileWithUses }) {
  const picker = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState(0);
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: (file: File) => headwater.replaceFile({ assetId }, { file }, { onProgress: setShare }),
    onSuccess: () => {
      tell('The file was replaced. Entries show the new one.');
      // Entries, too, hold its address.
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
        aria-label="File to put in its place"
        onChange={(event) => {
          const [file] = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (!file) return;
          setShare(0);
          mutation.mutate(file);
        }}
      />
      <Button variant="default" loading={mutation.isPending} onClick={() => picker.current?.click()}>
        {type === 'image' ? 'Replace the image' : 'Replace the video'}
      </Button>
      {mutation.isPending && <Progress value={share * 100} size="sm" aria-label="Progress of the replacement" />}
      {mutation.isError && (
        <Alert color="red" variant="light" role="alert">
          {messageOf(mutation.error).detail}
        </Alert>
      )}
    </Stack>
  );
}
