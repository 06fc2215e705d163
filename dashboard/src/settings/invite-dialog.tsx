import { Select, TextInput } from '@mantine/core';
import { queryClient } from '../service/query-client.ts';
import { headwater, type Role } from '../service/session.ts';
import { SecretDialog } from '../shared/dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatDate } from '../shared/formats.ts';
import { useForm } from '../shared/use-form.ts';
import { ROLE_OPTIONS, ROLES } from '../users/roles.ts';

export const refreshMembers = () => queryClient.invalidateQueries({ queryKey: ['members'] });

/** Creates an invitation and shows its link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { email: '', role: 'editor' as Role },
    save: ({ email, role }) =>
      headwater.createInvitation({ role, ...(email.trim() !== '' && { email: email.trim() }) }),
    onSaved: () => void refreshMembers(),
  });
  if (form.result) {
    const { email, expiresAt, url } = form.result;
    return (
      <SecretDialog title="Invitation created" label="Invitation link" secret={url} onClose={onClose}>
        Send this link to {email ?? 'the person you invite'}. It works once, until {formatDate(expiresAt)}, and is not
        shown again.
      </SecretDialog>
    );
  }
  return (
    <FormDialog form={form} title="Invite member" submit="Create invitation link" onClose={onClose}>
      <TextInput
        label="Email"
        type="email"
        description="Restricts the link to this address. No email is sent: share the link yourself."
        {...form.text('email')}
        data-autofocus
      />
      <Select
        label="Role"
        data={ROLE_OPTIONS}
        {...form.input('role')}
        description={ROLES[form.values.role].description}
      />
    </FormDialog>
  );
}
