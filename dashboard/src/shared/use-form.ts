import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { readDraft, writeDraft } from './drafts.ts';
import { errorMessage, fieldErrors } from './error-messages.ts';
import { focusFirstError } from './focus-first-error.ts';

interface FormOptions<Values extends object, Result> {
  initial: Values;
  /** Sends the values. Field errors of the response appear at the fields that their pointers name. */
  save: (values: Values) => Promise<Result>;
  onSaved?: (result: Result, values: Values) => void;
  onError?: (error: unknown) => void;
  /** Whether the values may be submitted. */
  isValid?: (values: Values) => boolean;
  /** An unchanged form cannot be submitted: for forms that edit something. */
  mustChange?: boolean;
  /** Keeps unsaved values under this name over a reload. Not for passwords. */
  draft?: string;
}

/** The state of a form: its values, its mutation, the errors of its fields, and whether it has unsaved changes. */
export function useForm<Values extends object, Result>(options: FormOptions<Values, Result>) {
  const { initial, save, onSaved, onError, isValid, mustChange = false, draft } = options;
  const [saved, setSaved] = useState(initial);
  const [restored, setRestored] = useState(() => (draft === undefined ? undefined : readDraft(draft, initial)));
  const [values, setValues] = useState(restored ?? initial);
  const element = useRef<HTMLFormElement>(null);
  const isSaved = useRef(false);
  const mutation = useMutation({ meta: { shown: true }, mutationFn: save });
  const errors = fieldErrors(mutation.error);
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved);

  useEffect(() => {
    if (draft === undefined) return;
    const timer = setTimeout(() => writeDraft(draft, isDirty && !isSaved.current ? values : undefined), 200);
    return () => clearTimeout(timer);
  }, [draft, isDirty, values]);
  // After the errors were rendered, which can take longer than a frame.
  useEffect(() => {
    if (mutation.error !== null) focusFirstError(element.current);
  }, [mutation.error]);
  const deleteDraft = () => {
    if (draft !== undefined) writeDraft(draft, undefined);
    setRestored(undefined);
  };

  const set = (part: Partial<Values>) => {
    isSaved.current = false;
    setValues((before) => ({ ...before, ...part }));
  };
  /** The error at `/name`, else the first one below it. */
  const errorOf = (name: string) =>
    errors.get(`/${name}`) ?? [...errors].find(([pointer]) => pointer.startsWith(`/${name}/`))?.[1];
  const canSubmit = (isValid?.(values) ?? true) && (isDirty || !mustChange);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (!canSubmit || mutation.isPending) return;
    mutation.mutate(values, {
      onSuccess: (result) => {
        // Navigation that follows in `onSaved` runs before the next render.
        isSaved.current = true;
        setSaved(values);
        deleteDraft();
        onSaved?.(result, values);
      },
      onError: (error) => onError?.(error),
    });
  };
  return {
    values,
    set,
    errors,
    errorOf,
    isDirty,
    canSubmit,
    submit,
    element,
    isPending: mutation.isPending,
    result: mutation.data,
    error: mutation.error,
    /** What went wrong where no field can say it. */
    message: mutation.error === null || errors.size > 0 ? undefined : errorMessage(mutation.error).detail,
    /** Whether leaving now would lose changes. */
    hasUnsavedChanges: () => isDirty && !isSaved.current,
    /** The values are those of a draft. */
    isRestored: restored !== undefined,
    /** Discards the changes: to the given values, else to those saved last. */
    reset: (next: Values = saved) => {
      isSaved.current = true;
      deleteDraft();
      setSaved(next);
      setValues(next);
      mutation.reset();
    },
    /** Props of a text input. */
    text: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name] as string,
      error: errorOf(name),
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set({ [name]: event.currentTarget.value } as Partial<Values>),
    }),
    /** Props of an input that passes its value: a select, a number, a list. */
    input: <Name extends keyof Values & string>(name: Name) => ({
      value: values[name],
      error: errorOf(name),
      onChange: (value: unknown) => set({ [name]: value } as Partial<Values>),
    }),
  };
}

export interface FormState
  extends Pick<
    ReturnType<typeof useForm>,
    'submit' | 'element' | 'message' | 'isPending' | 'canSubmit' | 'isDirty' | 'isRestored' | 'hasUnsavedChanges'
  > {
  reset: () => void;
}
