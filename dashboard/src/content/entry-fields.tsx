import type { Field } from '@headwater/sdk';
import { Badge, Stack, Tabs } from '@mantine/core';
import { Suspense, useCallback, useRef, useState } from 'react';
import type { FieldErrors } from '../field-types/definition.ts';
import { visibleFields } from '../field-types/visible-when.ts';
import { t } from '../languages/translate.ts';
import type { EntryLocales } from '../locales/locales.ts';
import { lazy } from '../shared/lazy.tsx';
import { EntryField } from './entry-field.tsx';

const LocalizedFields = lazy(() => import('../locales/localized-fields.tsx'));

interface EntryFieldsProps {
  fields: readonly Field[];
  values: Record<string, unknown>;
  onChange: (id: string, value: unknown) => void;
  errors: FieldErrors;
  locales: EntryLocales | undefined;
  /** The locale beside the default one. */
  locale: string | undefined;
  onLocale: (locale: string) => void;
}

/** Of fields without a section. No name of a section has white space at its end. */
const FIRST = 'General ';

/** The fields that an error is about: `/values/<field>@<locale>/…`. */
const fieldOf = (pointer: string) => /^\/values\/([^/@]+)/.exec(pointer)?.[1];

/** The inputs of an entry, in tabs if its fields have sections. */
export function EntryFields(props: EntryFieldsProps) {
  const { fields, values, errors } = props;
  const faulty = new Set([...errors.keys()].map(fieldOf));
  const shown = visibleFields(fields, values, ({ id }) => faulty.has(id));
  const named = [...new Set(shown.flatMap(({ section }) => section ?? []))];
  const sections = shown.some(({ section }) => section === undefined) ? [FIRST, ...named] : named;
  const isFaulty = (section: string) =>
    shown.some((field) => (field.section ?? FIRST) === section && faulty.has(field.id));
  const messages = new Set([...errors].flatMap(([pointer, message]) => (message === '' ? [] : fieldOf(pointer))));
  const hasMessage = (section: string) =>
    shown.some((field) => (field.section ?? FIRST) === section && messages.has(field.id));
  const [selected, select] = useState(sections[0] ?? FIRST);
  const active = sections.includes(selected) ? selected : (sections[0] ?? FIRST);
  // What has to be fixed must be visible, before the first error gets the focus.
  const found = [...errors.keys()].join('\n');
  const [seen, setSeen] = useState(found);
  if (seen !== found) {
    setSeen(found);
    if (!isFaulty(active)) select(sections.find(isFaulty) ?? active);
  }
  if (sections.length < 2) return <Inputs {...props} all={fields} fields={shown} />;
  return (
    <Tabs value={active} onChange={(next) => select(next ?? FIRST)} keepMounted={false}>
      <Tabs.List aria-label={t('Sections')} mb="md">
        {sections.map((section) => (
          <Tabs.Tab
            key={section}
            value={section}
            rightSection={
              hasMessage(section) && (
                <Badge color="red" variant="light" size="sm">
                  {t('Error')}
                </Badge>
              )
            }
          >
            {section.trim()}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {sections.map((section) => (
        <Tabs.Panel key={section} value={section}>
          <Inputs {...props} all={fields} fields={shown.filter((field) => (field.section ?? FIRST) === section)} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Inputs({
  fields,
  all,
  values,
  onChange,
  errors,
  locales,
  locale,
  onLocale,
}: EntryFieldsProps & { all: readonly Field[] }) {
  const latest = useRef(onChange);
  latest.current = onChange;
  const change = useCallback((id: string, value: unknown) => latest.current(id, value), []);
  if (locales && locale !== undefined) {
    return (
      <Suspense>
        <LocalizedFields {...{ locales, fields, all, values, errors, locale, onLocale }} onChange={change} />
      </Suspense>
    );
  }
  return (
    <Stack gap="md">
      {fields.map((field) => (
        <EntryField key={field.id} field={field} value={values[field.id]} onChange={change} errors={errors} />
      ))}
    </Stack>
  );
}
