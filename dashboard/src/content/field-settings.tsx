import { Group, NumberInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AnyField, FieldErrors } from '../field-types/definition.ts';
import type { DraftField } from '../field-types/draft.ts';
import { fieldTypeOf } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { localesQuery } from '../locales/locales.ts';
import { FieldInput } from './field-input.tsx';
import { apiIdOf, canBeUnique } from './schema-draft.ts';

interface FieldSettingsProps {
  field: DraftField;
  onChange: (field: DraftField) => void;
  errors: FieldErrors;
  pointer: string;
  isNested: boolean;
}

/** A default that the service makes, such as the time of creation. */
const isMade = (value: unknown) =>
  typeof value === 'object' && value !== null && ('now' in value || 'currentUser' in value);

/** Help text, default value and rules of a field. */
export default function FieldSettings({ field, onChange, errors, pointer, isNested }: FieldSettingsProps) {
  const { rules, hasDefault = true } = fieldTypeOf(field);
  const { validation } = field;
  const hasLocales = (useQuery(localesQuery()).data?.default ?? null) !== null;
  const set = (part: Partial<DraftField>) => onChange({ ...field, ...part });
  const rule = (part: DraftField['validation']) => set({ validation: { ...validation, ...part } });
  const at = (name: string) => errors.get(`${pointer}/validation/${name}`);
  const value = (label: string, isRepeated: boolean): AnyField => ({
    id: apiIdOf(field),
    label,
    type: field.type,
    ...(field.format && { format: field.format }),
    required: false,
    status: 'active',
    options: field.options.map((option) => ({ ...option, value: option.value || option.label })),
    repeated: isRepeated,
  });
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
      {hasDefault && !isMade(field.defaultValue) && (
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
      {rules && (
        <Text size="xs" c="dimmed">
          {t('Rules apply to values that are written from now on, also through the API and by imports.')}
        </Text>
      )}
    </Stack>
  );
}
