import type { Collection, Entry } from '@headwater/sdk';
import { waitForJob } from '@headwater/sdk';
import { Alert, Button, Group, Loader, Radio, Select, Stack, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { formatValue, isActive, isRepeated } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { errorMessage, fieldErrors } from '../shared/error-messages.ts';
import { formatNumber } from '../shared/formats.ts';
import { notifyWithUndo } from '../shared/notify.tsx';
import { entryTitle } from './entry-title.ts';
import { FieldInput } from './field-input.tsx';
import type { Where } from './filter-tree.ts';
import { invalidateEntries } from './queries.ts';

type Field = Collection['fields'][number];
type Action = 'set' | 'clear' | 'increment' | 'append' | 'remove';

interface BulkEditDialogProps {
  collection: Collection;
  /** The selected ones. */
  entries: Entry[];
  /** Conditions of the table, all of whose entries can be changed; undefined: there are none, or they cannot be expressed. */
  all: Where | undefined;
  onClose: () => void;
  onDone: () => void;
}

const ACTIONS: Record<Action, string> = {
  set: t('Set to'),
  clear: t('Clear'),
  increment: t('Increase by'),
  append: t('Add'),
  remove: t('Remove'),
};

function actionsOf(field: Field): Action[] {
  return [
    'set',
    ...(field.required ? [] : (['clear'] as const)),
    ...(field.type === 'number' && !isRepeated(field) ? (['increment'] as const) : []),
    ...(isRepeated(field) && field.type !== 'group' ? (['append', 'remove'] as const) : []),
  ];
}

/** Any number of entries by their IDs, 100 in a list. */
const whereIds = (ids: readonly string[]): Where => ({
  or: Array.from({ length: Math.ceil(ids.length / 100) }, (_, i) => ({
    id: { in: ids.slice(i * 100, (i + 1) * 100) },
  })),
});

const SHOWN = 8;

/** Changes a field of several entries: first what would change is shown, then it is done together, and can be undone. */
export default function BulkEditDialog({ collection, entries, all, onClose, onDone }: BulkEditDialogProps) {
  const { id: collectionId } = collection;
  const fields = collection.fields.filter((field) => isActive(field) && field.computed === undefined);
  const [scope, setScope] = useState('selected');
  const [fieldId, setFieldId] = useState<string | null>(null);
  const [action, setAction] = useState<Action>('set');
  const [value, setValue] = useState<unknown>();
  const field = fields.find(({ id }) => id === fieldId);
  const isComplete = field !== undefined && (action === 'clear' || value !== undefined);
  const change = () => {
    const id = field?.id ?? '';
    if (action === 'set' || action === 'clear') return { values: { [id]: action === 'set' ? value : null } };
    return { [action]: { [id]: value } };
  };
  const where = scope === 'all' && all ? all : whereIds(entries.map(({ id }) => id));
  const send = async (options: { dryRun?: boolean; expect?: number }) => {
    const sent = await headwater.updateEntries({ collectionId }, { where, ...change(), ...options });
    if (!('status' in sent)) return sent;
    // More than 1,000 entries are changed by a job.
    const { result } = await waitForJob(headwater, sent);
    const { matched, changed, undoId } = result ?? {};
    return {
      ...{ matched: Number(matched), changed: Number(changed) },
      undoId: typeof undoId === 'string' ? undoId : null,
    };
  };
  const preview = useMutation({ meta: { shown: true }, mutationFn: () => send({ dryRun: true }) });
  const apply = useMutation({
    meta: { shown: true },
    mutationFn: (expect: number) => send({ expect }),
    onSuccess: ({ changed, undoId }) => {
      invalidateEntries(collectionId);
      notifyWithUndo(t('{changed} changed.', { changed: formatNumber(changed) }), async () => {
        if (undoId === null) return;
        const undone = await headwater.undoEntries({ collectionId, undoId }, {});
        if ('status' in undone) await waitForJob(headwater, undone);
        invalidateEntries(collectionId);
      });
      onDone();
      onClose();
    },
  });
  const reset = () => {
    preview.reset();
    apply.reset();
  };
  const error = apply.error ?? preview.error;
  const errors = new Map(
    [...fieldErrors(error)].map(([pointer, text]) => [
      pointer.replace(/^\/(values|increment|append|remove)\//, '/values/').replace(/^\/entries\/\d+/, ''),
      text,
    ]),
  );
  const found = preview.data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete) return;
    if (found) apply.mutate(found.matched);
    else preview.mutate();
  };
  const count = t('{count, plural, one {# entry} other {# entries}}', { count: entries.length });
  return (
    <Dialog title={t('Bulk edit')} size="lg" onClose={onClose}>
      <form onSubmit={submit} onChange={reset}>
        <Stack>
          {all && (
            <Radio.Group label={t('Entries')} value={scope} onChange={setScope}>
              <Group gap="md" mt={4}>
                <Radio value="selected" label={t('The {count} selected', { count })} />
                <Radio value="all" label={t('All that match the filters')} />
              </Group>
            </Radio.Group>
          )}
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <Select
              label={t('Field')}
              data={fields.map(({ id, label }) => ({ value: id, label }))}
              value={fieldId}
              onChange={(next) => {
                setFieldId(next);
                setAction('set');
                setValue(undefined);
                reset();
              }}
              data-autofocus
            />
            {field && (
              <Select
                label={t('Action')}
                data={actionsOf(field).map((each) => ({ value: each, label: ACTIONS[each] }))}
                value={action}
                onChange={(next) => {
                  setAction((next ?? 'set') as Action);
                  setValue(undefined);
                  reset();
                }}
              />
            )}
          </Group>
          {field && action !== 'clear' && (
            <FieldInput
              key={`${field.id} ${action}`}
              field={action === 'increment' ? { ...field, format: undefined, helpText: undefined } : field}
              label={action === 'increment' ? t('Amount') : field.label}
              value={value}
              onChange={(next) => {
                setValue(next);
                reset();
              }}
              errors={errors}
              pointer={`/values/${field.id}`}
            />
          )}
          {error && (
            <Alert color="red" variant="light" role="alert" title={t('Nothing was changed')}>
              {errorMessage(error).detail}
            </Alert>
          )}
          {preview.isPending && <Loader size="sm" aria-label={t('Checking')} />}
          {found && field && (
            <Preview
              collection={collection}
              field={field}
              entries={scope === 'selected' ? entries : []}
              next={(before) => nextValue(action, value, before)}
              {...found}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              disabled={!isComplete || found?.changed === 0}
              loading={preview.isPending || apply.isPending}
            >
              {found ? t('Change {changed}', { changed: formatNumber(found.changed) }) : t('Preview')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function nextValue(action: Action, value: unknown, before: unknown): unknown {
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  if (action === 'set') return value;
  if (action === 'clear') return undefined;
  if (action === 'append') return [...asList(before), ...asList(value)];
  if (action === 'remove') return asList(before).filter((each) => !asList(value).some((gone) => isSame(each, gone)));
  return typeof before === 'string' ? undefined : Number(before ?? 0) + Number(value);
}

interface PreviewProps {
  collection: Collection;
  field: Field;
  entries: readonly Entry[];
  next: (before: unknown) => unknown;
  matched: number;
  changed: number;
}

function Preview({ collection, field, entries, next, matched, changed }: PreviewProps) {
  return (
    <div role="status" aria-label={t('Preview')}>
      <Text size="sm" fw={550}>
        {changed === 0
          ? t('No entry would be different.')
          : t('{changed, number} of {matched, plural, one {# entry} other {# entries}} will change.', {
              changed,
              matched,
            })}
      </Text>
      {changed > 0 && entries.some(({ values }) => field.id in values) && (
        <Table fz="sm" mt="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Entry')}</Table.Th>
              <Table.Th>{t('Before')}</Table.Th>
              <Table.Th>{t('After')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.slice(0, SHOWN).map((entry) => (
              <Table.Tr key={entry.id}>
                <Table.Td dir="auto">{entryTitle(collection, entry)}</Table.Td>
                <Table.Td dir="auto">{formatValue(field, entry.values[field.id]) || '–'}</Table.Td>
                <Table.Td dir="auto">{formatValue(field, next(entry.values[field.id])) || '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {changed > 0 && entries.length > SHOWN && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('and {count} more', { count: formatNumber(entries.length - SHOWN) })}
        </Text>
      )}
    </div>
  );
}
