import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../languages/translate.ts';
import { ConfirmDialog } from './dialogs.tsx';

interface LeaveGuardProps {
  /** Whether leaving now loses something. */
  shouldBlock: () => boolean;
  onDiscard?: () => void;
  title?: string;
  action?: string;
  cancel?: string;
  children?: ReactNode;
}

/** Asks before a link, Back or Reload discards unsaved changes or stops what is running. */
export function LeaveGuard({
  shouldBlock,
  onDiscard,
  title = t('Discard your changes?'),
  action = t('Discard changes'),
  cancel = t('Keep editing'),
  children = t('You have unsaved changes on this page.'),
}: LeaveGuardProps) {
  const blocker = useBlocker({ shouldBlockFn: shouldBlock, enableBeforeUnload: shouldBlock, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={title}
      action={action}
      cancel={cancel}
      run={async () => {
        onDiscard?.();
        blocker.proceed();
      }}
      onClose={blocker.reset}
    >
      {children}
    </ConfirmDialog>
  );
}
