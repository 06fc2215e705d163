import { type ComponentType, type LazyExoticComponent, lazy as lazyComponent, useEffect } from 'react';
import { offerReload } from './notify.tsx';

/** How browsers, and Vite for style sheets, say that a file could not be loaded. */
const MISSING = /dynamically imported module|importing a module script failed|unable to preload css/i;

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
