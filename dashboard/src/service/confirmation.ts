import { useSyncExternalStore } from 'react';

interface Question {
  answered: Promise<boolean>;
  answer(isConfirmed: boolean): void;
}

let question: Question | undefined;
const listeners = new Set<() => void>();

function setQuestion(next: Question | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

/** Has the user confirm that it is them, in a dialog over the page. Requests that ask at once share it. */
export function askToConfirm(): Promise<boolean> {
  if (question) return question.answered;
  let answer: Question['answer'] = () => {};
  const answered = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  setQuestion({ answered, answer });
  return answered;
}

export function answerConfirmation(isConfirmed: boolean): void {
  question?.answer(isConfirmed);
  setQuestion(undefined);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useIsAskedToConfirm = (): boolean => useSyncExternalStore(subscribe, () => question !== undefined);
