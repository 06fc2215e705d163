import type { Field, Locales } from '@headwater/sdk';
import { SegmentedControl, Select, Text } from '@mantine/core';
import { Fragment, useEffect, useState } from 'react';
import { FieldInput } from '../content/field-input.tsx';
import type { FieldErrors } from '../field-types/definition.ts';
import { countTranslated, isTranslated, localeName, otherLocales, shownLocale, translationId } from './locales.ts';
import classes from './localized-fields.module.css';

interface LocalizedFieldsProps {
  locales: Locales;
  /** Those of the collection itself. */
  fields: readonly Field[];
  values: Record<string, unknown>;
  onChange: (id: string, value: unknown) => void;
  errors: FieldErrors;
  /** The locale beside the default one. */
  locale: string;
  onLocale: (locale: string) => void;
}

type Side = 'default' | 'translation';

/** The inputs of an entry in two locales side by side; on a phone, in one of them. */
export default function LocalizedFields(props: LocalizedFieldsProps) {
  const { locales, fields, values, onChange, errors, locale, onLocale } = props;
  const [side, setSide] = useState<Side>('default');
  const main = locales.default ?? '';
  const others = otherLocales(locales);
  // What has to be fixed must be visible.
  const faultyLocales = [...errors.keys()].flatMap((pointer) => /^\/values\/[^/]+@([^/]+)/.exec(pointer)?.[1] ?? []);
  const faulty = faultyLocales.includes(locale) ? locale : others.find((each) => faultyLocales.includes(each));
  const isMainFaulty = [...errors.keys()].some((pointer) => /^\/values\/[^/@]+(\/|$)/.test(pointer));
  useEffect(() => {
    if (faulty !== undefined) onLocale(faulty);
    if (isMainFaulty) setSide('default');
    else if (faulty !== undefined) setSide('translation');
  }, [faulty, isMainFaulty, onLocale]);

  const classOf = (shown: Side) => (side === shown ? undefined : classes.hidden);
  const choices = others.map((each) => {
    const [done, all] = countTranslated(fields, values, each);
    return { value: each, label: `${localeName(each)} · ${done} of ${all} translated` };
  });
  return (
    <>
      <SegmentedControl
        hiddenFrom="sm"
        fullWidth
        aria-label="Locale"
        value={side}
        onChange={(next) => setSide(next as Side)}
        data={[
          { value: 'default', label: localeName(main) },
          { value: 'translation', label: localeName(locale) },
        ]}
      />
      <div className={classes.grid}>
        <Text size="sm" fw={550} pt={6} className={classOf('default')}>
          {localeName(main)} (default)
        </Text>
        <Select
          className={classOf('translation')}
          aria-label="Translation"
          data={choices}
          value={locale}
          onChange={(next) => next && onLocale(next)}
          allowDeselect={false}
        />
        {fields.map((field) => {
          const input = (id: string, of: Field, label: string) => (
            <FieldInput
              key={id}
              field={of}
              label={label}
              value={values[id] ?? undefined}
              onChange={(value) => onChange(id, value)}
              errors={errors}
              pointer={`/values/${id}`}
            />
          );
          if (!field.localized) {
            return (
              <div key={field.id} className={`${classes.shared} ${classOf('default') ?? ''}`}>
                {input(field.id, field, field.label)}
              </div>
            );
          }
          const id = translationId(field.id, locale);
          const isMissing = !isTranslated(field, values, locale) && values[field.id] != null;
          const missing = `Not translated: ${localeName(shownLocale(locales, locale, field, values) ?? main)} is shown.`;
          const helpText = isMissing ? [missing, field.helpText].filter(Boolean).join(' ') : field.helpText;
          const translation: Field = { ...field, id, required: false, helpText };
          return (
            <Fragment key={field.id}>
              <div className={classOf('default')}>{input(field.id, field, field.label)}</div>
              <div className={classOf('translation')}>
                {input(id, translation, `${field.label} (${localeName(locale)})`)}
              </div>
            </Fragment>
          );
        })}
      </div>
    </>
  );
}
