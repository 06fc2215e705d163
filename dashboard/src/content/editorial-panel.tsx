import type { Collection, Comment, Entry } from '@headwater/sdk';
import { Badge, Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { formatRelativeTime } from '../shared/formats.ts';
import { notifyError } from '../shared/notify.tsx';
import { authorName } from './author-name.ts';

interface EditorialPanelProps {
  collection: Collection;
  entry: Entry;
  isReadOnly: boolean;
}

const STATES = {
  draft: { label: 'Draft', color: 'gray' },
  in_review: { label: 'In review', color: 'blue' },
  approved: { label: 'Approved', color: 'teal' },
} as const;
type State = keyof typeof STATES;

const PRESENCE_MS = 15_000;
const MAX_COMMENTS = 100;

/** How editors work together on an entry: who has it open, its review, its assignee, and comments. */
export default function EditorialPanel({ collection, entry, isReadOnly }: EditorialPanelProps) {
  const path = { collectionId: entry.collectionId, entryId: entry.id };
  const review = useQuery({
    queryKey: ['review', entry.collectionId, entry.id, entry.version],
    queryFn: ({ signal }) => headwater.getReview(path, { signal }),
  });
  const change = useMutation({
    meta: { shown: true },
    mutationFn: (body: { state?: State; assigneeId?: string | null }) =>
      headwater.updateReview(path, { ...body, version: entry.version }),
    onSuccess: (changed) => queryClient.setQueryData(['review', entry.collectionId, entry.id, entry.version], changed),
  });
  const { data } = review;
  const state = STATES[data?.state ?? 'draft'];
  const to = (next: State, label: string) => (
    <Button
      variant="default"
      size="compact-sm"
      disabled={change.isPending}
      onClick={() => change.mutate({ state: next })}
    >
      {label}
    </Button>
  );
  return (
    <section className="surface" aria-label="Review" style={{ padding: 'var(--mantine-spacing-md)' }}>
      <Stack gap="sm">
        {!isReadOnly && <OthersHere entry={entry} />}
        {data && (
          <Group gap="sm" align="flex-end">
            {collection.publishing && (
              <Badge variant="light" color={state.color} mb={5}>
                {state.label}
              </Badge>
            )}
            {collection.publishing && !isReadOnly && (
              <Group gap="xs">
                {data.state === 'draft' && to('in_review', 'Request review')}
                {data.state !== 'approved' && to('approved', 'Approve')}
                {data.state !== 'draft' && to('draft', 'Back to draft')}
              </Group>
            )}
            <Select
              label="Assigned to"
              placeholder="Unassigned"
              size="xs"
              data={data.assignees.map(({ id, name }) => ({ value: id, label: name ?? id }))}
              value={data.assigneeId}
              onChange={(assigneeId) => change.mutate({ assigneeId })}
              disabled={isReadOnly}
              clearable
              clearButtonProps={{ 'aria-label': 'Remove assignee' }}
            />
          </Group>
        )}
        {change.error && (
          <Text size="sm" c="red" role="alert">
            {errorMessage(change.error).detail}
          </Text>
        )}
        <Comments entry={entry} isReadOnly={isReadOnly} />
      </Stack>
    </section>
  );
}

function OthersHere({ entry: { collectionId, id: entryId } }: { entry: Entry }) {
  const { data } = useQuery({
    queryKey: ['presence', collectionId, entryId],
    queryFn: ({ signal }) => headwater.recordPresence({ collectionId, entryId }, { signal }),
    refetchInterval: PRESENCE_MS,
    gcTime: 0,
  });
  if (!data || data.users.length === 0) return null;
  const names = data.users.map(({ name }) => name ?? 'A former user');
  return (
    <Text size="sm" role="status">
      Also open: {names.join(', ')}
    </Text>
  );
}

function Comments({ entry: { collectionId, id: entryId }, isReadOnly }: { entry: Entry; isReadOnly: boolean }) {
  const path = { collectionId, entryId };
  const key = ['comments', collectionId, entryId];
  const { data: comments = [] } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => headwater.listComments(path, { signal }).all(MAX_COMMENTS),
    refetchInterval: 30_000,
  });
  const [text, setText] = useState('');
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const add = useMutation({
    mutationFn: () => headwater.createComment(path, { text: text.trim() }),
    onSuccess: () => {
      setText('');
      return refresh();
    },
  });
  const remove = ({ id }: Comment) =>
    headwater
      .deleteComment({ ...path, commentId: id })
      .then(refresh)
      .catch(notifyError);
  return (
    <>
      {comments.length > 0 && (
        <Stack component="ul" gap="xs" m={0} p={0} aria-label="Comments" style={{ listStyle: 'none' }}>
          {comments.map((comment) => (
            <li key={comment.id}>
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                <div>
                  <Text size="xs" c="dimmed">
                    {authorName(comment.by)} · {formatRelativeTime(comment.createdAt)}
                  </Text>
                  <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                    {comment.text}
                  </Text>
                </div>
                {!isReadOnly && (
                  <Button
                    variant="subtle"
                    color="gray"
                    size="compact-xs"
                    style={{ flexShrink: 0 }}
                    aria-label="Delete comment"
                    onClick={() => remove(comment)}
                  >
                    Delete
                  </Button>
                )}
              </Group>
            </li>
          ))}
        </Stack>
      )}
      {!isReadOnly && (
        <Group align="flex-end" gap="xs">
          <Textarea
            flex={1}
            label="Comment"
            autosize
            maxRows={6}
            maxLength={5_000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button variant="default" disabled={text.trim() === ''} loading={add.isPending} onClick={() => add.mutate()}>
            Add comment
          </Button>
        </Group>
      )}
    </>
  );
}
