import { createContext, useContext } from 'react';
import { headwater } from '../service/session.ts';

type Reports = Pick<typeof headwater, 'getOverview' | 'getBreakdown'>;

/** Where the reports of the overview come from: the account, or a shared link. */
export const ReportSource = createContext<Reports>(headwater);
export const useReports = () => useContext(ReportSource);
