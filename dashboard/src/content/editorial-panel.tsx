import type { Collection, Entry, EntryComment, Presence } from '@headwater/sdk';
import { Badge, Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, useSession } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { formatRelativeTime } from '../shared/formats.ts';
import { notifyError } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { useRights } from '../users/rights.ts';
import { authorName } from './author-name.ts';
import { AlsoOpen } from './presence.tsx';

interface EditorialPanelProps {
  collection: Collection;
  entry: Entry;
  /** Who else has it open. */
  users: Presence['users'];
}

const STATES = {
  draft: undefined,
  in_review: { label: t('In review'), color: 'blue' },
  approved: { label: t('Approved'), color: 'teal' },
} as const;
type State = keyof typeof STATES;

const MAX_COMMENTS = 100;

/** How editors work together on an entry: who has it open, its review, its assignee, and comments. */
export default memo(function EditorialPanel({ collection, entry, users }: EditorialPanelProps) {
  const { may } = useRights();
  const mayReview = may('review', collection.id);
  const isReadOnly = !may('update', collection.id);
  // Whoever reads an entry in a role of the account comments on it.
  const mayComment = useSession().account.role !== 'viewer';
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
    <section className="surface" aria-label={t('Review')} style={{ padding: 'var(--mantine-spacing-md)' }}>
      <Stack gap="sm">
        {!isReadOnly && <AlsoOpen users={users} />}
        {data && (
          <Group gap="sm" align="flex-end">
            {collection.publishing && state && (
              <Badge variant="light" color={state.color} mb={5}>
                {state.label}
              </Badge>
            )}
            {collection.publishing && (mayReview || !isReadOnly) && (
              <Group gap="xs">
                {data.state === 'draft' && !isReadOnly && to('in_review', t('Request review'))}
                {data.state !== 'approved' && mayReview && to('approved', t('Approve'))}
                {data.state !== 'draft' && to('draft', t('Back to draft'))}
              </Group>
            )}
            <Select
              label={t('Assigned to')}
              placeholder={t('Unassigned')}
              size="xs"
              data={data.assignees.map(({ id, name }) => ({ value: id, label: name ?? id }))}
              value={data.assigneeId}
              onChange={(assigneeId) => change.mutate({ assigneeId })}
              disabled={isReadOnly}
              clearable
              clearButtonProps={{ 'aria-label': t('Remove assignee') }}
            />
          </Group>
        )}
        {change.error && (
          <Text size="sm" c="red" role="alert">
            {errorMessage(change.error).detail}
          </Text>
        )}
        <Comments entry={entry} isReadOnly={!mayComment} />
      </Stack>
    </section>
  );
});

function Comments({ entry: { collectionId, id: entryId }, isReadOnly }: { entry: Entry; isReadOnly: boolean }) {
  const path = { collectionId, entryId };
  const key = ['comments', collectionId, entryId];
  const { data: comments = [] } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => headwater.listComments(path, { signal }).all(MAX_COMMENTS),
    refetchInterval: 30_000,
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const form = useForm({
    initial: { text: '' },
    draft: 'comment',
    isValid: ({ text }) => text.trim() !== '',
    save: ({ text }) => headwater.createComment(path, { text: text.trim() }),
    settle: () => ({ saved: { text: '' }, values: { text: '' } }),
    onSaved: () => refresh(),
  });
  const remove = ({ id }: EntryComment) =>
    headwater
      .deleteComment({ ...path, commentId: id })
      .then(refresh)
      .catch(notifyError);
  return (
    <>
      {comments.length > 0 && (
        <Stack component="ul" gap="xs" m={0} p={0} aria-label={t('Comments')} style={{ listStyle: 'none' }}>
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
                    aria-label={t('Delete comment')}
                    onClick={() => remove(comment)}
                  >
                    {t('Delete')}
                  </Button>
                )}
              </Group>
            </li>
          ))}
        </Stack>
      )}
      {!isReadOnly && (
        <Stack align="flex-start" gap="xs">
          <Textarea
            w="100%"
            label={t('Comment')}
            autosize
            maxRows={6}
            maxLength={5_000}
            {...form.text('text')}
            error={form.errorOf('text') ?? form.message}
          />
          <Button variant="default" disabled={!form.canSubmit} loading={form.isPending} onClick={() => form.submit()}>
            {t('Add comment')}
          </Button>
        </Stack>
      )}
    </>
  );
}
