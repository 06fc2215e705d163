import { Group, NumberInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FieldErrors } from '../field-types/definition.ts';
import type { DraftField } from '../field-types/draft.ts';
import { isMadeDefault } from '../field-types/fields.ts';
import { fieldTypeOf } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { localesQuery } from '../locales/locales.ts';
import { FieldCondition } from './field-condition.tsx';
import { FieldInput } from './field-input.tsx';
import { canBeComputed, canBeUnique, draftAsField, madeDefaultOf } from './schema-draft.ts';

interface FieldSettingsProps {
  field: DraftField;
  onChange: (field: DraftField) => void;
  errors: FieldErrors;
  pointer: string;
  isNested: boolean;
  /** All fields of its list. */
  siblings: readonly DraftField[];
}

/** Default values that the service makes. */
const MADE = {
  now: {
    label: t('Default: time of creation'),
    description: t(
      'New entries get the date and time at which they are created, in UTC, unless another one is entered',
    ),
    value: { now: true },
  },
  currentUser: {
    label: t('Default: who creates it'),
    description: t('New entries get the ID of the user who creates them. Those that an API key creates get none.'),
    value: { currentUser: true },
  },
  fields: {
    label: t('Default: those of its fields'),
    description: t(
      'New entries have the group with the default values of its fields, even if nothing is entered in it',
    ),
    value: {},
  },
};

/** Help text, default value and rules of a field. */
export default function FieldSettings({ field, onChange, errors, pointer, isNested, siblings }: FieldSettingsProps) {
  const { rules, hasDefault = true } = fieldTypeOf(field);
  const { validation } = field;
  const hasLocales = (useQuery(localesQuery()).data?.default ?? null) !== null;
  const set = (part: Partial<DraftField>) => onChange({ ...field, ...part });
  const rule = (part: DraftField['validation']) => set({ validation: { ...validation, ...part } });
  const at = (name: string) => errors.get(`${pointer}/validation/${name}`);
  const made = madeDefaultOf(field);
  const isMade = field.defaultValue != null && isMadeDefault(field, field.defaultValue);
  const value = (label: string, isRepeated: boolean) => draftAsField(field, label, isRepeated);
  return (
    <Stack gap="sm">
      <Textarea
        label={t('Help text')}
        description={t('Shown below the field in forms')}
        dir="auto"
        autosize
        minRows={1}
        value={field.helpText}
        error={errors.get(`${pointer}/helpText`)}
        onChange={(event) => set({ helpText: event.currentTarget.value })}
      />
      {!isNested && (
        <TextInput
          label={t('Section')}
          description={t('Fields of one section are shown together, in a tab of the form')}
          placeholder={t('First tab')}
          value={field.section}
          error={errors.get(`${pointer}/section`)}
          onChange={(event) => set({ section: event.currentTarget.value })}
        />
      )}
      {!field.isNew && field.type === 'text' && (field.format ?? 'markdown') === 'markdown' && (
        <Switch
          label="Markdown"
          description={t('Edited with headings, lists and links. Values stay the same texts.')}
          checked={field.format === 'markdown'}
          error={errors.get(`${pointer}/format`)}
          onChange={(event) => {
            const format = event.currentTarget.checked ? 'markdown' : undefined;
            set({ format, ...(isMade && { defaultValue: undefined }) });
          }}
        />
      )}
      {made && (
        <Switch
          label={MADE[made].label}
          description={MADE[made].description}
          checked={isMade}
          error={isMade && errors.get(`${pointer}/defaultValue`)}
          onChange={(event) => set({ defaultValue: event.currentTarget.checked ? MADE[made].value : undefined })}
        />
      )}
      {hasDefault && !isMade && (
        <FieldInput
          field={value(t('Default value'), field.repeated)}
          value={field.defaultValue ?? undefined}
          onChange={(defaultValue) => set({ defaultValue })}
          errors={errors}
          pointer={`${pointer}/defaultValue`}
        />
      )}
      {canBeUnique(field, isNested) && (
        <Switch
          label={t('Unique')}
          description={t('No two entries can have the same value')}
          checked={field.unique}
          error={errors.get(`${pointer}/unique`)}
          onChange={(event) => set({ unique: event.currentTarget.checked })}
        />
      )}
      <Switch
        label={t('Private')}
        description={t('Not part of the public content')}
        checked={field.isPrivate}
        error={errors.get(`${pointer}/private`)}
        onChange={(event) => set({ isPrivate: event.currentTarget.checked })}
      />
      {!isNested && !hasLocales && (
        <Switch
          label={t('Localized')}
          description={t('A value for each locale. Add locales in Settings › Locales first.')}
          checked={field.isLocalized}
          disabled={!field.isLocalized}
          error={errors.get(`${pointer}/localized`)}
          onChange={(event) => set({ isLocalized: event.currentTarget.checked })}
        />
      )}
      {field.type === 'group' && field.repeated && !field.format && (
        <Switch
          label={t('Row IDs')}
          description={t('Each row has an ID in the API (_id), which stays the same when rows are moved or changed')}
          checked={field.rowIds}
          error={errors.get(`${pointer}/rowIds`)}
          onChange={(event) => set({ rowIds: event.currentTarget.checked })}
        />
      )}
      {canBeComputed(field) && (
        <TextInput
          label={t('Made from other fields')}
          description={t(
            "The value of those beside it, by their API IDs, such as '{'firstName'}' '{'lastName'}'. Nobody edits it then.",
          )}
          value={field.computed}
          error={errors.get(`${pointer}/computed`)}
          onChange={(event) => set({ computed: event.currentTarget.value })}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        />
      )}
      <FieldCondition
        field={field}
        siblings={siblings}
        onChange={(visibleWhen) => set({ visibleWhen })}
        error={[...errors].find(([at]) => at.startsWith(`${pointer}/visibleWhen`))?.[1]}
      />
      {field.repeated && (
        <Group grow align="flex-start" preventGrowOverflow={false}>
          {(['minItems', 'maxItems'] as const).map((name) => (
            <NumberInput
              key={name}
              label={name === 'minItems' ? t('Minimum number of values') : t('Maximum number of values')}
              min={0}
              allowDecimal={false}
              value={validation[name] ?? ''}
              error={at(name)}
              onChange={(count) => rule({ [name]: count === '' ? undefined : Number(count) })}
            />
          ))}
        </Group>
      )}
      {rules === 'range' && (
        <Group grow align="flex-start" preventGrowOverflow={false}>
          {(['min', 'max'] as const).map((name) => (
            <FieldInput
              key={name}
              field={value(name === 'min' ? t('Minimum') : t('Maximum'), false)}
              value={validation[name]}
              onChange={(bound) => rule({ [name]: bound as number | string | undefined })}
              errors={errors}
              pointer={`${pointer}/validation/${name}`}
            />
          ))}
        </Group>
      )}
      {rules === 'text' && (
        <>
          <Group grow align="flex-start" preventGrowOverflow={false}>
            {(['minLength', 'maxLength'] as const).map((name) => (
              <NumberInput
                key={name}
                label={name === 'minLength' ? t('Minimum length') : t('Maximum length')}
                min={0}
                allowDecimal={false}
                value={validation[name] ?? ''}
                error={at(name)}
                onChange={(length) => rule({ [name]: length === '' ? undefined : Number(length) })}
              />
            ))}
          </Group>
          <TextInput
            label={t('Pattern')}
            description={t("A regular expression that the whole value must match, such as [A-Z]'{'2'}'-[0-9]+")}
            value={validation.pattern ?? ''}
            error={at('pattern')}
            onChange={(event) => rule({ pattern: event.currentTarget.value || undefined })}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          />
        </>
      )}
      {(rules || field.repeated) && (
        <Text size="xs" c="dimmed">
          {t('Rules apply to values that are written from now on, also through the API and by imports.')}
        </Text>
      )}
    </Stack>
  );
}
