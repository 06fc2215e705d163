import type { Component } from '@headwater/sdk';
import { Stack, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { isActive } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { Form } from '../shared/form.tsx';
import { formatNumber } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { SaveBar } from '../shared/save-bar.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { toKey } from './api-id.ts';
import { SchemaError, useDataLoss } from './data-loss.tsx';
import { FieldList } from './field-list.tsx';
import { componentsQuery, invalidateCollections } from './queries.ts';
import { newField, toDraftField } from './schema-draft.ts';
import { fieldToRequest } from './schema-request.ts';
import { ensureTransliteration, useTransliteration } from './use-transliteration.ts';

const COLUMNS: Column<Component>[] = [
  { id: 'name', label: t('Name'), cell: ({ name }) => name },
  { id: 'key', label: t('Key'), cell: ({ key }) => key ?? '–' },
  {
    id: 'fields',
    label: t('Fields'),
    isNumber: true,
    cell: ({ fields }) => formatNumber(fields.filter(isActive).length),
  },
];

const refresh = () => {
  void queryClient.invalidateQueries({ queryKey: ['components'] });
  // Their fields are those of components.
  invalidateCollections();
};

/** Groups of fields that several collections use. */
export function ComponentsPage() {
  const query = useQuery(componentsQuery());
  const [toDelete, setToDelete] = useState<Component>();
  const newButton = (
    <IconButton icon="plus" to="/content/components/new">
      {t('New component')}
    </IconButton>
  );
  return (
    <Page
      wide
      title={t('Components')}
      description={t(
        'Groups of fields that collections share, as a group or as a block, such as SEO or a call to action.',
      )}
      back={{ to: '/content', label: t('Content') }}
      actions={query.data && query.data.length > 0 && newButton}
    >
      <DataTable
        label={t('Components')}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowLink={({ id }) => `/content/components/${id}`}
        hasActionMenu
        actions={(component) => [
          { label: t('Delete'), icon: 'trash', isDestructive: true, onClick: () => setToDelete(component) },
        ]}
        empty={
          <EmptyState icon="columns" title={t('No components yet')} action={newButton}>
            {t(
              'A component is a group of fields that is defined once. A change of it changes every collection that uses it.',
            )}
          </EmptyState>
        }
      />
      {toDelete && (
        <ConfirmDialog
          title={t('Delete {name}?', { name: toDelete.name })}
          action={t('Delete component')}
          run={async () => {
            await headwater.deleteComponent({ id: toDelete.id });
            refresh();
            notify(t('{name} was deleted.', { name: toDelete.name }));
          }}
          onClose={() => setToDelete(undefined)}
        >
          {t('This cannot be undone. A component that a collection uses is not deleted.')}
        </ConfirmDialog>
      )}
    </Page>
  );
}

export function ComponentPage() {
  const { componentId } = useParams({ from: '/shell/content/components/$componentId' });
  const query = useQuery(componentsQuery());
  if (componentId === 'new') return <ComponentEditor />;
  return (
    <Loaded query={query}>
      {(components) => {
        const component = components.find(({ id }) => id === componentId);
        return component ? (
          <ComponentEditor key={JSON.stringify(component)} component={component} />
        ) : (
          <EmptyState icon="search" title={t('No such component')}>
            {t('It may have been deleted.')}
          </EmptyState>
        );
      }}
    </Loaded>
  );
}

function ComponentEditor({ component }: { component?: Component }) {
  const navigate = useNavigate();
  const dataLoss = useDataLoss<object>();
  const { data: others = [] } = useQuery(componentsQuery());
  const suggest = (name: string) =>
    component
      ? ''
      : toKey(
          name,
          others.map(({ key }) => key),
        );
  const form = useForm({
    initial: {
      name: component?.name ?? '',
      componentKey: component?.key ?? '',
      fields: component ? component.fields.map(toDraftField) : [newField()],
    },
    mustChange: true,
    draft: `component ${component?.id ?? ''}`,
    isValid: ({ name }) => name.trim() !== '',
    save: async (draft) => {
      const { name, componentKey, fields } = draft;
      await ensureTransliteration({ fields });
      const request = {
        name: name.trim(),
        key: componentKey.trim() || suggest(name) || null,
        fields: fields.map((field) => fieldToRequest(field, true)),
      };
      if (!component) return headwater.createComponent(request);
      return dataLoss.save(draft, (allowed) =>
        headwater.updateComponent({ id: component.id }, { ...request, ...allowed }),
      );
    },
    onSaved: ({ name }) => {
      refresh();
      notify(t('{name} saved.', { name }));
      void navigate({ to: '/content/components' });
    },
  });
  const { values, errors } = form;
  useTransliteration(values);
  return (
    <Form form={form} noValidate>
      <Page
        title={component ? component.name : t('New component')}
        back={{ to: '/content/components', label: t('Components') }}
      >
        {form.error && (
          <SchemaError error={form.error} hasFields={errors.size > 0} isRefused={dataLoss.refused === values} />
        )}
        <Stack className="surface" p="lg">
          <TextInput
            {...form.text('name')}
            label={t('Name')}
            placeholder={t('SEO')}
            required
            dir="auto"
            data-autofocus
          />
          <TextInput
            label={t('Key')}
            description={t('A name for programs, such as seo')}
            value={values.componentKey || suggest(values.name)}
            error={errors.get('/key')}
            onChange={(event) => form.set({ componentKey: event.currentTarget.value })}
          />
        </Stack>
        <div>
          <Title order={2} mb="sm">
            {t('Fields')}
          </Title>
          <FieldList
            fields={values.fields}
            onChange={(fields) => form.set({ fields })}
            errors={errors}
            pointer="/fields"
            isNested
          />
        </div>
        <SaveBar form={form} submit={component ? t('Save') : t('Create component')} />
      </Page>
    </Form>
  );
}
