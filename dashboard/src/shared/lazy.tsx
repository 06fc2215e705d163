import { type ComponentType, type LazyExoticComponent, lazy as lazyComponent, useEffect } from 'react';
import { offerReload } from './notify.tsx';

/** How browsers, and Vite for style sheets, say that a file could not be loaded. */
const MISSING = /dynamically imported module|importing a module script failed|unable to preload css/i;

/** What the component itself says, when it is shown. */
const said = new WeakSet<object>();

// What is not a component of `lazy`: parts that are loaded by a click or ahead. The event comes before the error.
window.addEventListener('vite:preloadError', ({ payload }) => setTimeout(() => said.has(payload) || offerReload()));

/**
 * A component that is loaded when it is shown. Its file is gone once the service was updated: then nothing is shown in its place, a dialog closes,
 * and the page offers to be reloaded. It does not do so by itself, as forms may have unsaved changes. (Pages do.)
 */
export function lazy<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazyComponent(async () => {
    try {
      return await load();
    } catch (error) {
      if (!MISSING.test(String(error))) throw error;
      said.add(error as Error);
      return { default: Missing };
    }
  });
}

function Missing({ onClose }: { onClose?: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that it is shown
  useEffect(() => {
    offerReload();
    onClose?.();
  }, []);
  return null;
}
