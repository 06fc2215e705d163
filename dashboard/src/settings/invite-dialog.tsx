import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { Dialog, SecretDialog } from '../shared/dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatDate } from '../shared/formats.ts';
import { useForm } from '../shared/use-form.ts';
import { AREA_OPTIONS, type AreaChoice, toArea } from '../users/roles.ts';
import { useRoles } from '../users/use-roles.ts';

export const refreshMembers = () => queryClient.invalidateQueries({ queryKey: ['members'] });

/** Creates an invitation and shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const roles = useRoles();
  const form = useForm({
    initial: { email: '', roleId: 'editor', area: 'all' as AreaChoice },
    save: ({ email, roleId, area }) =>
      headwater.createInvitation({
        roleId,
        area: roleId === 'owner' ? null : toArea(area),
        ...(email.trim() !== '' && { email: email.trim() }),
      }),
    onSaved: () => void refreshMembers(),
  });
  const { data: session } = useQuery(sessionQuery());
  const sendsEmail = session?.sendsEmail ?? false;
  if (form.result) {
    const { email, emailed, expiresAt, url } = form.result;
    if (emailed || url === null) {
      return (
        <Dialog title={t('Invitation sent')} onClose={onClose}>
          <Text size="sm">
            {t('The link was sent to {email}. It works once, until {expiresAt}.', {
              email,
              expiresAt: formatDate(expiresAt),
            })}
          </Text>
          <Group justify="flex-end" mt="lg">
            <Button onClick={onClose}>{t('Done')}</Button>
          </Group>
        </Dialog>
      );
    }
    return (
      <SecretDialog title={t('Invitation created')} label={t('Invitation link')} secret={url} onClose={onClose}>
        {t('Send this link to {email}. It works once, until {expiresAt}, and is not shown again.', {
          email: email ?? t('the person you invite'),
          expiresAt: formatDate(expiresAt),
        })}
      </SecretDialog>
    );
  }
  return (
    <FormDialog form={form} title={t('Invite member')} submit={t('Create invitation link')} onClose={onClose}>
      <TextInput
        label={t('Email')}
        type="email"
        description={
          sendsEmail
            ? t('The link is sent to this address, and only works for it.')
            : t('Restricts the link to this address. No email is sent: share the link yourself.')
        }
        {...form.text('email')}
        data-autofocus
      />
      <Select
        label={t('Role')}
        data={roles.options}
        {...form.input('roleId')}
        description={roles.descriptionOf(form.values.roleId)}
      />
      {form.values.roleId !== 'owner' && <Select label={t('Access')} data={AREA_OPTIONS} {...form.input('area')} />}
    </FormDialog>
  );
}
