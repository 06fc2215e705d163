import type { Role } from '@headwater/sdk';
import { Alert, Button, Group, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { collectionsQuery } from '../content/queries.ts';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery, useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { errorMessage } from '../shared/error-messages.ts';
import { Form } from '../shared/form.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { SaveBar } from '../shared/save-bar.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { type Features, type Level, type Permission, useMayWrite } from '../users/rights.ts';
import { refreshRoles, roleName, rolesQuery } from '../users/use-roles.ts';
import { viewAsRole } from '../users/view-banner.tsx';
import { FEATURE_LABELS, FEATURES, LEVEL_OPTIONS } from './labels.ts';
import { PermissionGrid } from './permission-grid.tsx';
import { sentPermissions } from './permissions.ts';

/** A role of the account, a built-in one to look at, or a new one, which may start as a copy. */
export function RolePage() {
  const { roleId = '' } = useParams({ strict: false });
  const { from }: { from?: unknown } = useSearch({ strict: false });
  const query = useQuery(rolesQuery());
  return (
    <Loaded query={query}>
      {(roles) => {
        const role = roles.find(({ id }) => id === roleId);
        if (!role && roleId !== 'new') return <EmptyState icon="shield" title={t('There is no such role')} />;
        return <RoleForm key={roleId} role={role} copyOf={roles.find(({ id }) => id === from)} />;
      }}
    </Loaded>
  );
}

const NO_FEATURES: Features = {
  ...{ analytics: 'none', conversions: 'none', files: 'none', webhooks: 'none' },
  ...{ destinations: 'none', members: 'none', schema: 'none' },
};

interface Values {
  name: string;
  key: string;
  permissions: Permission[];
  features: Features;
}

function RoleForm({ role, copyOf }: { role: Role | undefined; copyOf: Role | undefined }) {
  const navigate = useNavigate();
  const { isSso } = useSession();
  const collections = useQuery(collectionsQuery());
  const isReadOnly = !useMayWrite('members') || role?.builtIn === true;
  const source = role ?? copyOf;
  const form = useForm<Values, Role>({
    initial: {
      name: role ? roleName(role) : copyOf ? t('Copy of {name}', { name: roleName(copyOf) }) : '',
      key: role?.key ?? '',
      permissions: source?.permissions ?? [],
      features: source?.features ?? NO_FEATURES,
    },
    mustChange: role !== undefined,
    draft: 'role',
    isValid: ({ name }) => name.trim() !== '',
    save: ({ name, key, permissions, features }) => {
      const body = {
        ...{ name: name.trim(), permissions: sentPermissions(permissions), features },
        ...(key.trim() !== '' && { key: key.trim() }),
      };
      return role
        ? headwater.updateRole({ id: role.id }, { ...body, version: role.version })
        : headwater.createRole(body);
    },
    settle: ({ key }, { name, permissions, features }) => {
      const values = { name, key, permissions, features };
      return { saved: values, values };
    },
    onSaved: ({ id }) => {
      void refreshRoles();
      // It may be the user's own.
      void queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey });
      if (role) return notify(t('Saved. It applies to everybody who has the role.'));
      void navigate({ to: '/settings/roles/$roleId', params: { roleId: id }, replace: true });
    },
  });
  const { errors, values } = form;
  const general =
    errors.get('') ??
    errors.get('/version') ??
    (errors.size === 0 && form.error ? errorMessage(form.error).detail : undefined);
  return (
    <Page
      wide
      title={role ? roleName(role) : t('New role')}
      description={role?.builtIn ? t('Built-in roles cannot be changed. Duplicate one to start from it.') : undefined}
      back={{ to: '/settings/roles', label: t('Roles') }}
      actions={
        role && (
          <>
            {role.id !== 'owner' && !isSso && (
              <IconButton icon="user" variant="default" onClick={() => void viewAsRole(role.id)}>
                {t('View as this role')}
              </IconButton>
            )}
            <Button
              variant="default"
              onClick={() =>
                navigate({
                  to: '/settings/roles/$roleId',
                  params: { roleId: 'new' },
                  search: { from: role.id } as never,
                })
              }
            >
              {t('Duplicate')}
            </Button>
          </>
        )
      }
    >
      <Form form={form} noValidate>
        <fieldset disabled={isReadOnly} className="plain-fieldset">
          <Stack gap="lg">
            {general && (
              <Alert color="red" variant="light" role="alert" title={t("Couldn't save")}>
                {general}
              </Alert>
            )}
            <SimpleGrid cols={{ base: 1, sm: 2 }} maw={720}>
              <TextInput label={t('Name')} required {...form.text('name')} />
              <TextInput
                label={t('Key')}
                description={t('Names the role in the API. By default made from the name')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                {...form.text('key')}
              />
            </SimpleGrid>
            <Card title={t('Content')}>
              <Text size="sm" c="dimmed">
                {t(
                  'What is allowed for all collections holds in each of them (a dash), unless the collection has its own limits. To leave a collection out, allow the others one by one.',
                )}
              </Text>
              <Loaded query={collections}>
                {(known) => (
                  <PermissionGrid
                    collections={known}
                    permissions={values.permissions}
                    onChange={(permissions) => form.set({ permissions })}
                    errors={errors}
                    isReadOnly={isReadOnly}
                  />
                )}
              </Loaded>
            </Card>
            <Card title={t('Everything else')}>
              {FEATURES.map((name) => (
                <Group key={name} justify="space-between" gap="xs" maw={720}>
                  <div>
                    <Text size="sm" fw={550}>
                      {FEATURE_LABELS[name].label}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {FEATURE_LABELS[name].note}
                    </Text>
                    {errors.has(`/features/${name}`) && (
                      <Text size="sm" c="var(--mantine-color-error)" role="alert">
                        {errors.get(`/features/${name}`)}
                      </Text>
                    )}
                  </div>
                  <SegmentedControl
                    aria-label={FEATURE_LABELS[name].label}
                    disabled={isReadOnly}
                    data={LEVEL_OPTIONS}
                    value={values.features[name]}
                    onChange={(level) => form.set({ features: { ...values.features, [name]: level as Level } })}
                  />
                </Group>
              ))}
            </Card>
          </Stack>
        </fieldset>
        {!isReadOnly && <SaveBar form={form} submit={role ? t('Save') : t('Create role')} />}
      </Form>
    </Page>
  );
}
