import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../service/session.ts';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';

/** A page for operators of the service; others read how to become one. */
export function ForOperators({ children }: { children: ReactNode }) {
  if (useSession().user.isOperator) return children;
  return (
    <Page title="Operators only">
      <EmptyState icon="shield" title="Cells contain all accounts of the service">
        Its operator can give you access with <Code>headwater users operator</Code>.
      </EmptyState>
    </Page>
  );
}
