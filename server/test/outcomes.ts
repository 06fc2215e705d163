import type { TestEvent } from 'node:test/reporters';
import type { Program } from './plan-run.ts';

export interface Failure {
  test: string;
  error: string;
}

/** What became of the tests of a file. */
export interface Outcome {
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  /** The first test that failed; undefined: the file passed. */
  failure: Failure | undefined;
}

const NONE = { passed: 0, failed: 0, skipped: 0 };

/**
 * Reads the events of a run. A file has passed if its suite has, and its process too: one that ends early reports nothing of the
 * files that it had not finished.
 */
export class Outcomes {
  readonly #programs: readonly Program[];
  readonly #ended = new Map<string, Outcome>();
  readonly #failedPrograms = new Map<Program, Failure>();
  /** Of the file whose suite has not ended: the events of a process arrive without those of another one between them. */
  #counts = { ...NONE };
  #failure: Failure | undefined;

  constructor(programs: readonly Program[]) {
    this.#programs = programs;
  }

  add(event: TestEvent): void {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') return;
    const { name, details } = event.data;
    if (event.type === 'test:fail') this.#failure ??= failureOf(name, event.data.details.error);

    const program = this.#programs.find(({ path }) => path === name);
    if (program !== undefined) {
      if (this.#failure) this.#failedPrograms.set(program, this.#failure);
      this.#startFile();
    } else if (details.type !== 'suite') {
      this.#counts[event.type === 'test:fail' ? 'failed' : event.data.skip ? 'skipped' : 'passed']++;
    } else if (this.#programs.some(({ files }) => files.includes(name))) {
      this.#ended.set(name, { file: name, ...this.#counts, failure: this.#failure });
      this.#startFile();
    }
  }

  /** Also of files of which nothing was reported. */
  all(): Outcome[] {
    return this.#programs.flatMap((program) => {
      const ended = program.files.map((file) => this.#ended.get(file));
      const failure = this.#failedPrograms.get(program);
      // A process can also fail after its last file.
      const isExplained = ended.some((outcome) => outcome === undefined || outcome.failure !== undefined);
      return program.files.map((file, i) => {
        const outcome = ended[i];
        if (outcome !== undefined && (failure === undefined || isExplained)) return outcome;
        const early = { test: file, error: 'its process ended before it' };
        return { file, ...NONE, ...outcome, failed: 1, failure: failure ?? early };
      });
    });
  }

  #startFile(): void {
    this.#counts = { ...NONE };
    this.#failure = undefined;
  }
}

/** A test that only failed because one within it did comes after that one. */
function failureOf(test: string, error: Error): Failure {
  const { cause } = error;
  return { test, error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? error.message) };
}
