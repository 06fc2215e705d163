import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { rich, t } from '../languages/translate.ts';
import { useSession } from '../service/session.ts';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';

/** A page for operators of the service; others read how to become one. */
export function ForOperators({ children }: { children: ReactNode }) {
  if (useSession().user.isOperator) return children;
  return (
    <Page title={t('Operators only')}>
      <EmptyState icon="shield" title={t('Cells contain all accounts of the service')}>
        {rich('Its operator can give you access with <code>headwater users operator</code>.', {
          code: (text) => <Code>{text}</Code>,
        })}
      </EmptyState>
    </Page>
  );
}
