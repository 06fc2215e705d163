import type { Locales } from '@headwater/sdk';
import { ActionIcon, Button, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useMayWrite } from '../users/rights.ts';
import { DefaultChange } from './default-change.tsx';
import { LOCALES_KEY, localeName, localesQuery } from './locales.ts';

export function LocalesPage() {
  const query = useQuery(localesQuery());
  return (
    <Page
      title={t('Locales')}
      description={t('The languages of your content. Fields can be localized in the schema of a collection.')}
    >
      <Loaded query={query}>{(locales) => <LocalesForm locales={locales} />}</Loaded>
    </Page>
  );
}

interface Row {
  /** Stays the same while the tag is typed. */
  key: string;
  locale: string;
  fallback: string | null;
}

let lastKey = 0;
const newRow = (locale = ''): Row => ({ key: `new-${++lastKey}`, locale, fallback: null });

function LocalesForm({ locales }: { locales: Locales }) {
  const mayEdit = useMayWrite('schema');
  const form = useForm({
    initial: {
      rows: locales.locales.map((each): Row => ({ ...each, key: each.locale })),
      main: locales.default,
    },
    mustChange: true,
    draft: 'locales',
    save: ({ rows, main }) =>
      headwater.setLocales({
        default: rows.find(({ key }) => key === main)?.locale.trim() ?? null,
        locales: rows.map(({ key, locale, fallback }) => ({
          locale: locale.trim(),
          fallback: key === main ? null : fallback,
        })),
      }),
    onSaved: (saved) => {
      queryClient.setQueryData(LOCALES_KEY, saved);
      for (const name of ['entry', 'collection', 'collections'])
        void queryClient.invalidateQueries({ queryKey: [name] });
      notify(t('Saved.'));
      form.reset({ rows: saved.locales.map((each) => ({ ...each, key: each.locale })), main: saved.default });
    },
  });
  const { rows, main } = form.values;
  const nextDefault = rows.find(({ key }) => key === main)?.locale.trim();
  const fault = form.errors.get('/default') ?? form.errors.get('/locales');
  const change = (key: string, part: Partial<Row>) =>
    form.set({ rows: rows.map((row) => (row.key === key ? { ...row, ...part } : row)) });
  const add = () => {
    const row = newRow();
    form.set({ rows: [...rows, row], main: main ?? row.key });
  };
  const remove = (key: string) => {
    const rest = rows.filter((row) => row.key !== key);
    form.set({ rows: rest, main: main === key ? (rest[0]?.key ?? null) : main });
  };
  if (rows.length === 0 && !form.isDirty) {
    return (
      <div className="surface">
        <EmptyState
          icon="flag"
          title={t('No locales yet')}
          action={mayEdit && <Button onClick={add}>{t('Add a locale')}</Button>}
        >
          {t('Add the languages in which you write your content. Fields then have a value for each of them.')}
        </EmptyState>
      </div>
    );
  }
  return (
    <Form form={form} noValidate>
      <Stack className="surface" p="lg" gap="lg">
        <FormError form={form} />
        {fault && (
          <Text size="sm" c="red" role="alert">
            {fault}
          </Text>
        )}
        <Radio.Group
          label={t('Locales')}
          description={t('The default locale is shown where none is requested, and the others fall back to it.')}
          value={main}
          onChange={(next) => form.set({ main: next })}
        >
          <Stack gap="sm" mt="sm">
            {rows.map((row, i) => {
              const name = row.locale.trim() === '' ? t('new locale') : localeName(row.locale.trim());
              // While "de-AT" is typed, two rows are "de", and a select must not have an option twice.
              const others = new Set(rows.flatMap(({ key, locale }) => (key === row.key ? [] : locale.trim() || [])));
              return (
                <Group key={row.key} gap="sm" align="flex-end">
                  <TextInput
                    label={t('Locale')}
                    description={name}
                    placeholder="de"
                    value={row.locale}
                    onChange={(event) => change(row.key, { locale: event.currentTarget.value })}
                    error={form.errors.get(`/locales/${i}/locale`)}
                    readOnly={!mayEdit}
                    w={170}
                  />
                  {row.key !== main && (
                    <Select
                      label={t('Fallback')}
                      aria-label={t('Fallback of {name}', { name })}
                      placeholder={t('Default locale')}
                      data={[...others].map((value) => ({ value, label: localeName(value) }))}
                      value={row.fallback}
                      onChange={(fallback) => change(row.key, { fallback })}
                      error={form.errors.get(`/locales/${i}/fallback`)}
                      clearable
                      disabled={!mayEdit}
                      w={200}
                    />
                  )}
                  <Group gap="sm" wrap="nowrap" mih={36}>
                    <Radio
                      value={row.key}
                      label={t('Default locale')}
                      aria-label={t('{name} is the default locale', { name })}
                      disabled={!mayEdit}
                    />
                    {mayEdit && (
                      <ActionIcon onClick={() => remove(row.key)} aria-label={t('Remove {name}', { name })}>
                        <Icon name="close" size={16} />
                      </ActionIcon>
                    )}
                  </Group>
                </Group>
              );
            })}
          </Stack>
        </Radio.Group>
        {mayEdit && (
          <Group>
            <IconButton icon="plus" variant="default" onClick={add}>
              {t('Add locale')}
            </IconButton>
          </Group>
        )}
        {locales.default && nextDefault && nextDefault !== locales.default && (
          <DefaultChange from={locales.default} to={nextDefault} />
        )}
        <FormActions form={form} submit={t('Save')} isDisabled={!mayEdit}>
          <Text size="sm" c="dimmed">
            {t('Values in a locale that you remove are kept, and return with it.')}
          </Text>
        </FormActions>
      </Stack>
    </Form>
  );
}
