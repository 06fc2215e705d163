// Slow: axe, in a real browser. Its proof looks at every page.
import { testScreens } from './every-screen.ts';
import './shared.ts';

/** A report, a form, a table, and a page of settings that a viewer may not read. */
const SOME = ['overview', 'an entry', 'entries', 'keys'];

testScreens({ screens: (name) => SOME.includes(name), guide: { axe: ['quick-start'], width: [] }, presses: false });
