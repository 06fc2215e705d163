import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type Draft, draftKey, isDraftOf, readDraft, readOtherDraft, writeDraft } from './drafts.ts';
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
  /** The part of the values that may be kept, where they contain secrets. */
  toDraft?: (values: Values) => Values;
  /** The values as saved, and those of the form after saving, which may have changed while they were sent. */
  settle?: (result: Result, sent: Values, latest: Values) => { saved: Values; values: Values };
}

/** The state of a form: its values, its mutation, the errors of its fields, and whether it has unsaved changes. */
export function useForm<Values extends object, Result>(options: FormOptions<Values, Result>) {
  const { initial, save, onSaved, onError, isValid, mustChange = false, draft, toDraft, settle } = options;
  const [saved, setSaved] = useState(initial);
  const [restored, setRestored] = useState(() => (draft === undefined ? undefined : readDraft(draft, initial)));
  const [values, setValues] = useState(restored ?? initial);
  const latest = useRef(values);
  latest.current = values;
  const kept = useRef(toDraft);
  kept.current = toDraft;
  const [offered, setOffered] = useOtherDraft(draft, initial);
  const element = useRef<HTMLFormElement>(null);
  const isSaved = useRef(false);
  /** Whether saving was asked for while a save was under way, which has not sent what was changed since. */
  const isNextWaiting = useRef(false);
  const mutation = useMutation({ meta: { shown: true }, mutationFn: save });
  const errors = useMemo(() => fieldErrors(mutation.error), [mutation.error]);
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved);

  useEffect(() => {
    if (draft === undefined) return;
    const key = draftKey(draft);
    const timer = setTimeout(
      () => writeDraft(key, isDirty && !isSaved.current ? (kept.current?.(values) ?? values) : undefined),
      200,
    );
    return () => clearTimeout(timer);
  }, [draft, isDirty, values]);
  // After the errors were rendered, which can take longer than a frame.
  useEffect(() => {
    if (mutation.error !== null) focusFirstError(element.current);
  }, [mutation.error]);
  const deleteDraft = () => {
    if (draft !== undefined) writeDraft(draftKey(draft), undefined);
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
  /** @returns what was saved; undefined if that failed, which the form shows */
  const saveNow = () =>
    new Promise<Result | undefined>((resolve) =>
      mutation.mutate(values, {
        onSuccess: (result) => {
          const next = settle?.(result, values, latest.current) ?? { saved: values, values: latest.current };
          // Navigation that follows in `onSaved` runs before the next render.
          isSaved.current = JSON.stringify(next.saved) === JSON.stringify(next.values);
          setSaved(next.saved);
          setValues(next.values);
          if (isSaved.current) deleteDraft();
          onSaved?.(result, values);
          resolve(result);
        },
        onError: (error) => {
          onError?.(error);
          resolve(undefined);
        },
      }),
    );
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (mutation.isPending) isNextWaiting.current = true;
    else if (canSubmit) void saveNow();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: when a save ends
  useEffect(() => {
    if (mutation.isPending) return;
    if (isNextWaiting.current && mutation.isSuccess && isDirty) submit();
    isNextWaiting.current = false;
  }, [mutation.isPending]);
  /** Discards the changes: to the given values, else to those saved last. */
  const reset = (next: Values = saved) => {
    isSaved.current = true;
    deleteDraft();
    setSaved(next);
    setValues(next);
    mutation.reset();
  };
  return {
    values,
    set,
    errors,
    errorOf,
    isDirty,
    canSubmit,
    submit,
    save: saveNow,
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
    /** What another tab keeps unsaved of this form. */
    offered: offered && {
      at: offered.at,
      take: () => {
        set(offered.values);
        writeDraft(offered.key, undefined);
        setOffered(undefined);
      },
      discard: () => {
        writeDraft(offered.key, undefined);
        setOffered(undefined);
      },
    },
    reset,
    /** Discards the changes, and returns what brings them back, even to the draft of a page that was left. */
    discard: () => {
      const key = draft === undefined ? undefined : draftKey(draft);
      reset();
      return () => {
        if (key !== undefined) writeDraft(key, toDraft?.(values) ?? values);
        set(values);
      };
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

/** The draft of another tab, until it is saved or discarded there. */
function useOtherDraft<Values extends object>(name: string | undefined, initial: Values) {
  const read = (): Draft<Values> | undefined => (name === undefined ? undefined : readOtherDraft(name, initial));
  const [offered, setOffered] = useState(read);
  const key = offered?.key;
  useEffect(() => {
    if (key === undefined) return;
    const onStorage = (event: StorageEvent) => event.key === key && event.newValue === null && setOffered(undefined);
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [key]);
  // After a new entry was created, the page is that of the entry.
  const isCurrent = offered && name !== undefined && isDraftOf(offered.key, name);
  return [isCurrent ? offered : undefined, setOffered] as const;
}

export interface FormState
  extends Pick<
    ReturnType<typeof useForm>,
    | 'submit'
    | 'element'
    | 'message'
    | 'isPending'
    | 'canSubmit'
    | 'isDirty'
    | 'isRestored'
    | 'offered'
    | 'hasUnsavedChanges'
    | 'discard'
    | 'result'
  > {
  reset: () => void;
}
