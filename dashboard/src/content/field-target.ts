import { type EntryLocales, valueId } from '../locales/locales.ts';

/** A value of an entry, as previews name it: `blocks.row_….title`. */
export interface FieldTarget {
  field: string;
  /** Of a localized field. */
  locale?: string | undefined;
}

/** The pointer of a value in the request that saves the entry; that of its field if a row is not there any more. */
export function pointerOf(
  { field, locale }: FieldTarget,
  values: Record<string, unknown>,
  locales?: EntryLocales,
): string {
  const [id = '', ...rest] = field.split('.');
  const known = locales?.locales.find((each) => each.locale === locale);
  const first = locales && known ? valueId(locales, id, known.locale) : id;
  const names = [first];
  let value = values[first];
  for (const name of rest) {
    if (Array.isArray(value)) {
      const found = value.findIndex((row) => row?._id === name);
      const index = found === -1 ? Number(name) : found;
      if (!Number.isInteger(index)) break;
      names.push(String(index));
      value = value[index];
    } else {
      names.push(name);
      value = (value as Record<string, unknown> | null | undefined)?.[name];
    }
  }
  return `/values/${names.join('/')}`;
}

/** The first kind that there is: an editor has buttons, too. */
const CONTROLS = ['[contenteditable=true]', 'input:not([type=hidden]), textarea, select', 'button'];
/** Editors are loaded when they are first shown. */
const PATIENCE_MS = 5_000;

/** Scrolls to an input of a form and moves the focus there, once it is shown. @returns what gives up */
export function focusPointer(form: HTMLElement | null, pointer: string): () => void {
  const until = performance.now() + PATIENCE_MS;
  let frame = 0;
  const attempt = () => {
    const element = form?.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`);
    const control = CONTROLS.map((each) => element?.querySelector<HTMLElement>(each)).find((found) => found != null);
    if (control) {
      control.focus({ preventScroll: true });
      control.scrollIntoView({ block: 'center' });
      if (control.matches('textarea, input[type=text]')) {
        const input = control as HTMLInputElement;
        input.setSelectionRange(input.value.length, input.value.length);
      }
    } else if (performance.now() < until) frame = requestAnimationFrame(attempt);
  };
  frame = requestAnimationFrame(attempt);
  return () => cancelAnimationFrame(frame);
}
