import type { Annotation, SharedAnnotation } from '@headwater/sdk';
import { createContext, useContext } from 'react';
import { headwater } from '../service/session.ts';

interface Reports extends Pick<typeof headwater, 'getOverview' | 'getBreakdown'> {
  listAnnotations(
    period: { from: string; to: string; timeZone: string },
    options: { signal: AbortSignal },
  ): Promise<{ annotations: (Annotation | SharedAnnotation)[] }>;
}

/** Where the reports of the overview come from: the account, or a shared link. */
export const ReportSource = createContext<Reports>(headwater);
export const useReports = () => useContext(ReportSource);
