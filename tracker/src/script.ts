import { attempt, type Page } from './page.ts';
import { start } from './run.ts';

attempt(() => {
  const page = window.headwater as Page;
  // A second copy of the script on a page does nothing.
  if (page.apiKey && !('session' in page)) start(page);
});
