// Slow: axe, in a real browser. Its proof looks at every page.
import { testScreens } from './every-screen.ts';
import './shared.ts';

/** A report, a form, tables, a page of settings, and pages that a viewer may not read. */
const SOME = ['overview', 'an entry', 'entries', 'a conversion', 'return on ad spend', 'keys', 'tracking'];

testScreens({ screens: (name) => SOME.includes(name), guide: { axe: ['quick-start'], width: [] } });
