// Slow: axe on every page, in light and dark mode, and presses of what its fields lead to.
import { testScreens } from './every-screen.ts';
import './shared.ts';

testScreens({
  screens: () => true,
  // Code, tables and tabs.
  guide: { axe: ['quick-start', 'compare', 'how-to/use-a-consent-manager'], width: ['backup', 'sizing', 'changelog'] },
  presses: true,
});
