import type { FileWithUses } from '@headwater/sdk';
import { Box, Button, Drawer, Group, Stack, Table, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, type MouseEvent, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, useMayEdit } from '../service/session.ts';
import { Confirm } from '../shared/confirm.tsx';
import { CopyField } from '../shared/copy-field.tsx';
import { formatBytes, formatTime } from '../shared/formats.ts';
import { faultsOf } from '../shared/messages.ts';
import { tell } from '../shared/notify.tsx';
import { Loaded } from '../shared/states.tsx';
import { FileUses } from './file-uses.tsx';
import { forgetFiles } from './queries.ts';
import { ReplaceButton } from './replace-button.tsx';

/** One file: how it looks, what is said of it, where it is used. */
export function FileDrawer({ assetId, onClose }: { assetId: string | undefined; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['file', assetId],
    queryFn: ({ signal }) => headwater.getFile({ assetId: assetId ?? '' }, { signal }),
    enabled: assetId !== undefined,
  });
  // Escape is meant for the question, where there is one.
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Drawer
      closeOnEscape={!isAsked}
      opened={assetId !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={query.data?.name ?? 'File'}
    >
      {assetId !== undefined && (
        <Loaded query={query}>
          {(file) => (
            <FileDetails
              key={file.assetId + file.updatedAt}
              file={file}
              onClose={onClose}
              isRemoving={isAsked}
              setIsRemoving={setIsAsked}
            />
          )}
        </Loaded>
      )}
    </Drawer>
  );
}

interface FileDetailsProps {
  file: FileWithUses;
  onClose: () => void;
  isRemoving: boolean;
  setIsRemoving: (isRemoving: boolean) => void;
}

function FileDetails({ file, onClose, isRemoving, setIsRemoving }: FileDetailsProps) {
  const { assetId } = file;
  const [name, setName] = useState(file.name);
  const [alt, setAlt] = useState(file.alt ?? '');
  const [focalPoint, setFocalPoint] = useState(file.focalPoint);
  const mayEdit = useMayEdit();
  const isChanged =
    name !== file.name || alt !== (file.alt ?? '') || JSON.stringify(focalPoint) !== JSON.stringify(file.focalPoint);
  const save = useMutation({
    meta: { shown: true },
    mutationFn: () =>
      headwater.updateFile({ assetId }, { name: name.trim(), alt: alt.trim() === '' ? null : alt.trim(), focalPoint }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['file', assetId] });
      void forgetFiles();
      tell('Saved.');
    },
  });
  const faults = faultsOf(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const uses = file.usedByCount === 1 ? 'an entry uses' : `${file.usedByCount} entries use`;
  return (
    <form onSubmit={submit}>
      <Stack>
        {file.type === 'video' ? (
          // biome-ignore lint/a11y/useMediaCaption: captions are not stored with a file
          <video
            src={file.url}
            poster={file.posterUrl ?? undefined}
            controls
            style={{ width: '100%', maxHeight: 360, borderRadius: 8 }}
          />
        ) : (
          <FocalPicture file={file} point={focalPoint} onChange={setFocalPoint} />
        )}
        <TextInput
          label="Name"
          value={name}
          error={faults.get('/name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="Description"
          description="For people who do not see it"
          autosize
          value={alt}
          error={faults.get('/alt')}
          onChange={(event) => setAlt(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          {focalPoint && (
            <Button variant="subtle" color="gray" onClick={() => setFocalPoint(null)}>
              Clear focal point
            </Button>
          )}
          {mayEdit && (
            <Button type="submit" disabled={!isChanged || name.trim() === ''} loading={save.isPending}>
              Save
            </Button>
          )}
        </Group>
        <Table variant="vertical" layout="fixed">
          <Table.Tbody>
            <Fact label="Kind">{[file.mediaType, file.codec].filter(Boolean).join(', ')}</Fact>
            <Fact label="Dimensions">{file.width ? `${file.width} × ${file.height}` : 'Unknown'}</Fact>
            <Fact label="Size">{formatBytes(file.bytes)}</Fact>
            {file.duration !== null && <Fact label="Length">{`${Math.round(file.duration)} s`}</Fact>}
            <Fact label="Uploaded">{formatTime(file.createdAt)}</Fact>
          </Table.Tbody>
        </Table>
        <CopyField value={file.url} label="Address of the file" />
        <div>
          <Title order={3} size="h5" mb={4}>
            Where it is used
          </Title>
          <FileUses file={file} />
        </div>
        {mayEdit && (
          <Group align="flex-start" justify="space-between">
            <ReplaceButton file={file} />
            <Button variant="light" color="red" onClick={() => setIsRemoving(true)}>
              Delete file
            </Button>
          </Group>
        )}
      </Stack>
      <Confirm
        opened={isRemoving}
        onClose={() => setIsRemoving(false)}
        title={`Delete ${file.name}?`}
        action="Delete file"
        run={async () => {
          await headwater.deleteFile({ assetId, force: true });
          void forgetFiles();
          setIsRemoving(false);
          onClose();
          tell('The file was deleted.');
        }}
      >
        This cannot be undone.{' '}
        {file.usedByCount > 0 && <b>At present {uses} it, and will have nothing in its place.</b>}
      </Confirm>
    </form>
  );
}

function Fact({ label, children }: { label: string; children: string }) {
  return (
    <Table.Tr>
      <Table.Th w={130} scope="row">
        {label}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}

interface Point {
  x: number;
  y: number;
}

const STEP = 0.05;
const MOVES: Record<string, [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};
const clamp = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 1_000) / 1_000;

/** The picture, and on it the point that crops keep in view: set by a click, or by the arrow keys. */
function FocalPicture({
  file,
  point,
  onChange,
}: {
  file: FileWithUses;
  point: Point | null;
  onChange: (point: Point) => void;
}) {
  const { x, y } = point ?? { x: 0.5, y: 0.5 };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    // A button pressed by a key tells of no place.
    if (event.detail === 0) return;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    onChange({ x: clamp((event.clientX - left) / width), y: clamp((event.clientY - top) / height) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    onChange({ x: clamp(x + move[0]), y: clamp(y + move[1]) });
  };
  const where = point ? `${Math.round(x * 100)} % from the left, ${Math.round(y * 100)} % from the top` : 'not set';
  return (
    <div>
      <Box className="checkered" style={{ borderRadius: 8, textAlign: 'center', overflow: 'hidden' }}>
        <button
          type="button"
          onClick={onClick}
          onKeyDown={onKeyDown}
          aria-label={`Focal point: ${where}. Arrow keys move it.`}
          style={{
            position: 'relative',
            display: 'inline-block',
            padding: 0,
            border: 0,
            background: 'none',
            cursor: 'crosshair',
            maxWidth: '100%',
          }}
        >
          <img src={file.url} alt={file.alt ?? ''} style={{ display: 'block', maxWidth: '100%', maxHeight: 360 }} />
          {point && (
            <span
              style={{
                position: 'absolute',
                left: `${x * 100}%`,
                top: `${y * 100}%`,
                width: 22,
                height: 22,
                margin: -11,
                borderRadius: '50%',
                border: '2px solid #fff',
                boxShadow: '0 0 0 1.5px #0008, inset 0 0 0 1.5px #0008',
              }}
            />
          )}
        </button>
      </Box>
      <Text size="xs" c="dimmed" mt={4}>
        Click what must stay in view when the picture is cropped.
      </Text>
    </div>
  );
}
