import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater, type Role, sessionQuery } from '../service/session.ts';
import { SecretDialog } from '../shared/dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatDate } from '../shared/formats.ts';
import { useForm } from '../shared/use-form.ts';
import { AREA_OPTIONS, type AreaChoice, ROLE_OPTIONS, ROLES, toArea } from '../users/roles.ts';

export const refreshMembers = () => queryClient.invalidateQueries({ queryKey: ['members'] });

/** Creates an invitation and shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { email: '', role: 'editor' as Role, area: 'all' as AreaChoice },
    save: ({ email, role, area }) =>
      headwater.createInvitation({
        role,
        area: role === 'owner' ? null : toArea(area),
        ...(email.trim() !== '' && { email: email.trim() }),
      }),
    onSaved: () => void refreshMembers(),
  });
  const { data: session } = useQuery(sessionQuery());
  const sendsEmail = session?.sendsEmail ?? false;
  if (form.result) {
    const { email, emailed, expiresAt, url } = form.result;
    return (
      <SecretDialog title="Invitation created" label="Invitation link" secret={url} onClose={onClose}>
        {emailed ? `The link was sent to ${email}.` : `Send this link to ${email ?? 'the person you invite'}.`} It works
        once, until {formatDate(expiresAt)}, and is not shown again.
      </SecretDialog>
    );
  }
  return (
    <FormDialog form={form} title="Invite member" submit="Create invitation link" onClose={onClose}>
      <TextInput
        label="Email"
        type="email"
        description={
          sendsEmail
            ? 'The link is sent to this address, and only works for it.'
            : 'Restricts the link to this address. No email is sent: share the link yourself.'
        }
        {...form.text('email')}
        data-autofocus
      />
      <Select
        label="Role"
        data={ROLE_OPTIONS}
        {...form.input('role')}
        description={ROLES[form.values.role].description}
      />
      {form.values.role !== 'owner' && <Select label="Access" data={AREA_OPTIONS} {...form.input('area')} />}
    </FormDialog>
  );
}
