import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { ROLES } from './roles.ts';

/** From now on, every page is as a member with the role sees it. A reload drops what was read before. */
export async function viewAsRole(id: string): Promise<void> {
  await headwater.viewAsRole({ id });
  window.location.assign('/home');
}

/** Says whose view of the account this is, on every page and while it scrolls. */
export function ViewBanner() {
  const { account } = useSession();
  const end = useMutation({
    mutationFn: () => headwater.endView(),
    onSuccess: () => window.location.assign('/settings/roles'),
  });
  if (!account.isView) return null;
  return (
    <div role="status" className="view-banner">
      <Icon name="lock" size={18} />
      <span>
        {t('You see this account as the role {name} does. Nothing can be changed.', {
          name: account.customRole?.name ?? ROLES[account.role].label,
        })}
      </span>
      <Button variant="white" color="dark" size="compact-sm" loading={end.isPending} onClick={() => end.mutate()}>
        {t('End view')}
      </Button>
    </div>
  );
}
