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
  /** The file that ended last. */
  #latest = '';

  constructor(programs: readonly Program[]) {
    this.#programs = programs;
  }

  add(event: TestEvent): void {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') return;
    const { name, details, nesting } = event.data;
    // What only failed because something within it did comes after that.
    if (event.type === 'test:fail' && !isOfSubtests(event.data.details.error)) {
      this.#failure ??= failureOf(name, event.data.details.error);
    }

    const program = this.#programs.find(({ path }) => path === name);
    if (program !== undefined) this.#endProgram(program);
    else if (details.type !== 'suite') {
      this.#counts[event.type === 'test:fail' ? 'failed' : event.data.skip ? 'skipped' : 'passed']++;
    } else if (this.#programs.some(({ files }) => files.includes(name))) {
      const failure =
        event.type === 'test:fail' ? (this.#failure ?? { test: name, error: 'a test failed' }) : undefined;
      this.#ended.set(name, { file: name, ...this.#counts, failure });
      this.#latest = name;
      this.#startFile();
    } else if (nesting === 0) {
      // The suite around the files that share a service.
      const around = this.#programs.find(({ files }) => files.includes(this.#latest));
      if (around !== undefined) this.#endProgram(around);
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

  #endProgram(program: Program): void {
    if (this.#failure) this.#failedPrograms.set(program, this.#failure);
    this.#startFile();
  }

  #startFile(): void {
    this.#counts = { ...NONE };
    this.#failure = undefined;
  }
}

const isOfSubtests = (error: Error) => (error as { failureType?: string }).failureType === 'subtestsFailed';

function failureOf(test: string, { cause, message }: Error): Failure {
  return { test, error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? message) };
}
