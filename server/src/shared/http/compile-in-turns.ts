import { nextTurn } from '../turns.ts';
import type { App } from './app.ts';

/** Of which route a schema is. */
export interface SchemaPlace {
  method?: string | string[];
  url?: string;
}

/**
 * Compiles the schemas of a route before its first request is validated, one schema for each turn of the event loop: together they
 * take a tenth of a second and more, and the first requests to several routes can come at the same time.
 */
export class CompileInTurns {
  readonly #waiting = new Map<string, (() => void)[]>();
  #last = Promise.resolve();

  /** @param compile does nothing when it is called again */
  add(place: SchemaPlace, compile: () => void): void {
    const key = keyOf(place);
    const found = this.#waiting.get(key);
    if (found) found.push(compile);
    else this.#waiting.set(key, [compile]);
  }

  /** Adds the step to the routes that are registered from now on. */
  watch(app: App): void {
    app.addHook('onRoute', (route) => {
      if (!route.schema || route.validatorCompiler || route.method === 'OPTIONS') return;
      const key = keyOf(route);
      let isReady = false;
      const own = [route.preValidation ?? []].flat();
      route.preValidation = [
        ...own,
        (_request, _reply, done) => {
          if (isReady) return done();
          this.#compile(key).then(() => {
            isReady = true;
            done();
          }, done);
        },
      ];
    });
  }

  #compile(key: string): Promise<void> {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    this.#last = this.#last.then(async () => {
      for (const compile of waiting) {
        try {
          compile();
        } catch {
          // The request that needs it fails with the reason.
        }
        await nextTurn();
      }
    });
    return this.#last;
  }
}

const keyOf = ({ method, url }: SchemaPlace) => `${[method].flat().join()} ${url}`;
