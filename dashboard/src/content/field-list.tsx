import {
  ActionIcon,
  Badge,
  Box,
  Button,
  Checkbox,
  Code,
  Group,
  Select,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import type { FieldListProps } from '../field-types/definition.ts';
import type { DraftField } from '../field-types/draft.ts';
import { FIELD_CHOICES, fieldTypeOf } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { localesQuery } from '../locales/locales.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { SortableList } from '../shared/sortable-list.tsx';
import { archivable } from './archivable.ts';
import { apiIdOf, newBlock, newField } from './schema-draft.ts';

const FieldSettings = lazy(() => import('./field-settings.tsx'));

/** The fields of a collection or a group: active ones in their order, archived ones below. */
export function FieldList({ fields, onChange, errors, pointer, isNested = false }: FieldListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { active, archived, replace, remove, setActive } = archivable(fields, onChange);
  const add = () => {
    setActive([...active, newField()]);
    requestAnimationFrame(() => {
      const labels = list.current?.querySelectorAll<HTMLInputElement>(`[data-field-list="${pointer}"]`);
      labels?.[labels.length - 1]?.focus();
    });
  };
  return (
    <Stack gap="xs" ref={list}>
      <SortableList items={active} onChange={setActive} nameOf={({ label }) => label || t('new field')}>
        {(field, handle) => (
          <FieldCard
            field={field}
            handle={handle}
            onChange={replace}
            onRemove={() => remove(field)}
            errors={errors}
            list={pointer}
            pointer={`${pointer}/${fields.indexOf(field)}`}
            siblings={fields}
            isNested={isNested}
          />
        )}
      </SortableList>
      {errors.get(pointer) && (
        <Text c="red" size="sm">
          {errors.get(pointer)}
        </Text>
      )}
      <Group>
        <IconButton icon="plus" variant="default" onClick={add} size={isNested ? 'compact-sm' : 'sm'}>
          {isNested && pointer !== '/fields' ? t('Add field to group') : t('Add field')}
        </IconButton>
      </Group>
      {archived.length > 0 && (
        <Box mt="xs">
          <Text size="sm" fw={550} mb={4}>
            {t('Archived')}
          </Text>
          <Text size="xs" c="dimmed" mb="xs">
            {t('Their values are stored, but forms, tables and the API leave them out.')}
          </Text>
          {archived.map((field) => (
            <Group key={field.key} justify="space-between" py={4}>
              <Group gap="xs">
                <Text size="sm" c="dimmed">
                  {field.label}
                </Text>
                <Badge variant="default" size="sm" tt="none" fw={500}>
                  {fieldTypeOf(field).label}
                </Badge>
              </Group>
              <IconButton
                icon="restore"
                variant="subtle"
                size="compact-sm"
                onClick={() => replace({ ...field, status: 'active' })}
                aria-label={t('Restore {label}', { label: field.label })}
              >
                {t('Restore')}
              </IconButton>
            </Group>
          ))}
        </Box>
      )}
    </Stack>
  );
}

interface FieldCardProps extends Pick<FieldListProps, 'errors' | 'pointer' | 'isNested'> {
  field: DraftField;
  handle: ReactNode;
  onChange: (field: DraftField) => void;
  onRemove: () => void;
  /** The pointer of the list. */
  list: string;
  siblings: readonly DraftField[];
}

function FieldCard(props: FieldCardProps) {
  const { field, handle, onChange, onRemove, errors, pointer, list, siblings, isNested = false } = props;
  const name = field.label || t('new field');
  const removal = field.isNew ? t('Remove {name}', { name }) : t('Archive {name}', { name });
  const { label: typeLabel, settings } = fieldTypeOf(field);
  const [isOpen, setIsOpen] = useState(false);
  const hasLocales = (useQuery(localesQuery()).data?.default ?? null) !== null;
  const hasError = [...errors.keys()].some((at) => SETTINGS.some((name) => at.startsWith(`${pointer}/${name}`)));
  return (
    <Box className="surface" p={isNested ? 'xs' : 'sm'}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Box pt={24}>{handle}</Box>
        <Stack gap="xs" flex={1} miw={0}>
          <Group gap="xs" align="flex-start">
            <TextInput
              label={t('Field')}
              placeholder={t('Headline')}
              dir="auto"
              value={field.label}
              error={errors.get(`${pointer}/label`)}
              onChange={(event) => onChange({ ...field, label: event.currentTarget.value })}
              data-field-list={list}
              flex={2}
              miw={140}
            />
            {field.isNew && (
              <>
                <Select
                  label={t('Type')}
                  data={typeOptions(isNested)}
                  value={field.format ? `${field.type} ${field.format}` : field.type}
                  onChange={(value) => {
                    const { type = 'text', format } = FIELD_CHOICES.find((each) => each.value === value) ?? {};
                    const isBlocks = format === 'blocks';
                    const repeated = isBlocks || (field.repeated && field.format !== 'blocks');
                    const blocks = isBlocks && field.blocks.length === 0 ? [newBlock()] : field.blocks;
                    const slugSource = field.slugSource ?? (format === 'slug' ? titleIdOf(siblings) : undefined);
                    const next = { ...field, type, format, repeated, blocks, slugSource };
                    onChange({ ...next, defaultValue: undefined, validation: {} });
                  }}
                  error={errors.get(`${pointer}/type`) ?? errors.get(`${pointer}/format`)}
                  flex={1}
                  miw={140}
                />
                <TextInput
                  label={t('API ID')}
                  value={apiIdOf(field)}
                  error={errors.get(`${pointer}/id`)}
                  onChange={(event) => onChange({ ...field, id: event.currentTarget.value })}
                  flex={1}
                  miw={120}
                  styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
                />
              </>
            )}
          </Group>
          <Group gap="lg">
            {!field.isNew && (
              <Text size="sm" c="dimmed">
                {typeLabel}
                {field.repeated && t(', multiple')} · <Code>{field.id}</Code>
              </Text>
            )}
            <Checkbox
              label={t('Required')}
              size="sm"
              checked={field.required}
              onChange={(event) => onChange({ ...field, required: event.currentTarget.checked })}
            />
            {field.isNew && field.format !== 'slug' && field.format !== 'blocks' && (
              <Checkbox
                label={t('Allow multiple')}
                size="sm"
                checked={field.repeated}
                onChange={(event) =>
                  onChange({ ...field, repeated: event.currentTarget.checked, defaultValue: undefined })
                }
              />
            )}
            {!isNested && hasLocales && (
              <Checkbox
                label={t('Localized')}
                title={t('A value for each locale')}
                size="sm"
                checked={field.isLocalized}
                error={errors.get(`${pointer}/localized`)}
                onChange={(event) => onChange({ ...field, isLocalized: event.currentTarget.checked })}
              />
            )}
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              aria-expanded={isOpen || hasError}
              aria-label={`${settingsSummary(field)}: ${name}`}
              rightSection={<Icon name={isOpen || hasError ? 'up' : 'down'} size={13} />}
              onClick={() => setIsOpen(!isOpen)}
            >
              {settingsSummary(field)}
            </Button>
          </Group>
          {(isOpen || hasError) && (
            <Suspense>
              <FieldSettings {...{ field, onChange, errors, pointer, isNested, siblings }} />
            </Suspense>
          )}
          {settings && (
            <settings.Editor
              field={field}
              onChange={onChange}
              errors={errors}
              pointer={pointer}
              siblings={siblings}
              FieldList={FieldList}
            />
          )}
        </Stack>
        <Tooltip label={field.isNew ? t('Remove') : t('Archive')}>
          <ActionIcon onClick={onRemove} aria-label={removal} mt={26}>
            <Icon name={field.isNew ? 'close' : 'trash'} size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Box>
  );
}

/** The field that a slug is usually made of. */
function titleIdOf(siblings: readonly DraftField[]): string | undefined {
  const title = siblings.find(
    (each) =>
      each.status === 'active' && each.type === 'text' && !each.format && !each.repeated && apiIdOf(each) !== '',
  );
  return title && apiIdOf(title);
}

/** Members of a field that `FieldSettings` edits. */
const SETTINGS = [
  ...['helpText', 'defaultValue', 'validation', 'section', 'computed', 'visibleWhen'],
  ...['unique', 'private', 'rowIds', 'format'],
];

function settingsSummary({ helpText, defaultValue, validation, section, computed, visibleWhen }: DraftField): string {
  const set = [
    section,
    helpText && t('Help'),
    defaultValue != null && t('Default'),
    Object.values(validation).some((rule) => rule !== undefined) && t('Rules'),
    computed && t('Made from other fields'),
    visibleWhen && t('Condition'),
  ].filter(Boolean);
  return set.length > 0 ? set.join(', ') : t('Help, default, rules');
}

const typeOptions = (isNested: boolean) =>
  FIELD_CHOICES.filter(({ definition }) => definition.isNestable || !isNested).map(({ value, definition }) => ({
    value,
    label: definition.label,
  }));
