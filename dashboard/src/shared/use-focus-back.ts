import { useEffect, useState } from 'react';

/** For a window that is there only while it is open: when it goes, what had the focus before has it again. */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Behind the window's own last doings. What was chosen meanwhile, or is gone, is left alone.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      });
    },
    [opener],
  );
}
