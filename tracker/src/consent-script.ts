import { startConsent } from './consent.ts';
import { attempt, type Page } from './page.ts';

attempt(() => {
  const page = window.headwater as Page;
  // A second copy of the script on a page does nothing.
  if (!Object.getOwnPropertyDescriptor(page, 'adConsent')?.set) startConsent(page);
});
