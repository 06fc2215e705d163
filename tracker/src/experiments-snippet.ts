import type { AssignedExperiment } from '../index.d.ts';
import type { Page } from './page.ts';
import { assign } from './variant.ts';

/*
 * For the head of a page, in front of its content: decides variants before the first paint, and before the script is loaded. The visitor's ID
 * is the one that the script uses; a new visitor gets it here. Without consent there is none, and no variant.
 */
declare const headwater: Page;
/** `new URL` takes it as a base. */
declare const location: Location & URL;
const page = headwater;
const here = location;
const exposed: Record<string, unknown> = {};
/** A server may add a slash to the end of a path, or remove it. */
const pathOf = (url: URL) => url.pathname.replace(/\/$/, '');

function decide(key: string): string | null | undefined {
  try {
    if (page.mode ? page.mode === 'full' : !navigator.globalPrivacyControl && !Number(navigator.doNotTrack)) {
      const storage = localStorage;
      const known = JSON.parse(storage.headwater || 0)[1];
      const visitorId = known || crypto.getRandomValues(new Uint32Array(9)).join('').slice(0, 22);
      // A session that is over, whose visitor the script continues.
      if (!known) storage.headwater = `[0,"${visitorId}"]`;
      // Of an experiment that is not there, it throws.
      return assign(
        (page.experiments as AssignedExperiment[]).find((each) => each.key === key) as AssignedExperiment,
        visitorId,
      );
    }
  } catch {}
  return undefined;
}

page.variant = (key) => {
  const variant = decide(key) || null;
  if (variant) exposed[key] ||= page.track('experiment_exposure', { experiment: key, variant });
  return variant;
};

page.redirect = (key, pages) => {
  const target = new URL(pages[decide(key) as string] || '', here);
  // The exposure is recorded by the page that shows the variant.
  if (pathOf(target) === pathOf(here)) page.variant(key);
  else {
    target.search += here.search.replace('?', target.search && '&');
    here.replace(target);
  }
};
