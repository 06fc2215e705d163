import { attempt, type Page } from './page.ts';
import { start } from './run.ts';

attempt(() => {
  const page = window.headwater as Page;
  // Twice on a page is once.
  if (page.apiKey && !('session' in page)) start(page);
});
