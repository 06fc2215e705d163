const ERRORS = '[aria-invalid=true], .mantine-InputWrapper-error, .mantine-Input-error';
const CONTROLS = 'input:not([type=hidden]), textarea, select, button';

/** Scrolls to the first invalid field of a form and moves the focus there. */
export function focusFirstError(form: HTMLElement | null): void {
  const error = form?.querySelector<HTMLElement>(ERRORS);
  if (!error) return;
  // The message of an input that consists of several controls stands beside them.
  const control = error.matches('[aria-invalid=true]')
    ? error
    : (error.parentElement?.querySelector<HTMLElement>(CONTROLS) ?? error);
  control.focus({ preventScroll: true });
  control.scrollIntoView({ block: 'center' });
}
