import { useEffect, useState } from 'react';

/** For a dialog that is rendered while it is open: returns the focus to the element that had it before. */
export function useRestoreFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // After the dialog's own cleanup. An element focused meanwhile keeps the focus.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      });
    },
    [opener],
  );
}
