import type { Field } from '@headwater/sdk';
import { SegmentedControl, Select, Text } from '@mantine/core';
import { Fragment, useEffect, useMemo, useState } from 'react';
import { EntryField, type EntryFieldProps } from '../content/entry-field.tsx';
import type { FieldErrors } from '../field-types/definition.ts';
import { t } from '../languages/translate.ts';
import {
  baseOf,
  countTranslated,
  type EntryLocales,
  isTranslated,
  localeName,
  otherLocales,
  shownLocale,
  translate,
  valueId,
} from './locales.ts';
import classes from './localized-fields.module.css';

interface LocalizedFieldsProps {
  locales: EntryLocales;
  /** Those of the collection itself. */
  fields: readonly Field[];
  /** Those of other sections, too, which count as translated or not. */
  all: readonly Field[];
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
  const { locales, fields, all, values, onChange, errors, locale, onLocale } = props;
  const [side, setSide] = useState<Side>('default');
  const main = locales.default ?? '';
  const others = otherLocales(locales);
  // What has to be fixed must be visible.
  const faultyLocales = [...errors.keys()].flatMap((pointer) => {
    const [, id = '', tag] = /^\/values\/([^/@]+)(?:@([^/]+))?/.exec(pointer) ?? [];
    const isLocalized = all.some((field) => field.id === id && field.localized);
    return id === '' ? [] : (tag ?? (isLocalized ? baseOf(locales) : main));
  });
  const faulty = faultyLocales.includes(locale) ? locale : others.find((each) => faultyLocales.includes(each));
  const isMainFaulty = faultyLocales.includes(main);
  useEffect(() => {
    if (faulty !== undefined) onLocale(faulty);
    if (isMainFaulty) setSide('default');
    else if (faulty !== undefined) setSide('translation');
  }, [faulty, isMainFaulty, onLocale]);

  const classOf = (shown: Side) => (side === shown ? undefined : classes.hidden);
  const choices = others.map((each) => {
    const [done, count] = countTranslated(locales, all, values, each);
    return { value: each, label: t('{each} · {done} of {count} translated', { each: localeName(each), done, count }) };
  });
  return (
    <>
      <SegmentedControl
        hiddenFrom="sm"
        fullWidth
        aria-label={t('Locale')}
        value={side}
        onChange={(next) => setSide(next as Side)}
        data={[
          { value: 'default', label: localeName(main) },
          { value: 'translation', label: localeName(locale) },
        ]}
      />
      <div className={classes.grid}>
        <Text size="sm" fw={550} pt={6} className={classOf('default')}>
          {t('{main} (default)', { main: localeName(main) })}
        </Text>
        <Select
          className={classOf('translation')}
          aria-label={t('Translation')}
          data={choices}
          value={locale}
          onChange={(next) => next && onLocale(next)}
          allowDeselect={false}
        />
        {fields.map((field) => {
          if (!field.localized) {
            return (
              <div key={field.id} className={`${classes.shared} ${classOf('default') ?? ''}`}>
                <EntryField field={field} value={values[field.id]} onChange={onChange} errors={errors} />
              </div>
            );
          }
          const [mainId, id] = [valueId(locales, field.id, main), valueId(locales, field.id, locale)];
          const isMissing = !isTranslated(locales, field, values, locale) && values[mainId] != null;
          const missing = t('Not translated: {locales} is shown.', {
            locales: localeName(shownLocale(locales, locale, field, values)),
          });
          const helpText = isMissing ? [missing, field.helpText].filter(Boolean).join(' ') : field.helpText;
          return (
            <Fragment key={field.id}>
              <div className={classOf('default')}>
                <LocaleField
                  {...{ field, locales, onChange, errors }}
                  locale={main}
                  helpText={field.helpText}
                  label={field.label}
                  value={values[mainId]}
                />
              </div>
              <div className={classOf('translation')}>
                <LocaleField
                  key={id}
                  {...{ field, locales, locale, helpText, onChange, errors }}
                  label={`${field.label} (${localeName(locale)})`}
                  value={values[id]}
                />
              </div>
            </Fragment>
          );
        })}
      </div>
    </>
  );
}

interface LocaleFieldProps extends EntryFieldProps {
  locales: EntryLocales;
  locale: string;
  helpText: string | undefined;
}

/** The input of a field in a locale. */
function LocaleField({ field, locales, locale, helpText, ...props }: LocaleFieldProps) {
  const own: Field = useMemo(
    () => ({ ...translate(locales, field, locale), label: field.label, helpText }),
    [locales, field, locale, helpText],
  );
  return <EntryField field={own} {...props} />;
}
