/**
 * Lets the test runner find the test that an error outside of it belongs to by the context that asynchronous work inherits anyway. By itself it
 * follows each promise with hooks of the engine, which take a fifth of the processor time of a process that tests the service.
 *
 * To be loaded before `node:test`.
 */
import hooks, {
  AsyncLocalStorage,
  AsyncResource,
  createHook,
  executionAsyncId,
  type HookCallbacks,
} from 'node:async_hooks';

const current = new AsyncLocalStorage<number>();
/** The test that ran last, to which an error belongs that was thrown outside of every context. */
let latest: number | undefined;
let onInit: HookCallbacks['init'];

/** What tests are for the runner. */
class FollowedResource extends AsyncResource {
  constructor(...given: ConstructorParameters<typeof AsyncResource>) {
    super(...given);
    onInit?.(this.asyncId(), given[0], 0, this);
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: unknown[]) => Result,
    thisArg?: This,
    ...args: unknown[]
  ): Result {
    const id = this.asyncId();
    latest = id;
    return super.runInAsyncScope(() => current.run(id, () => Reflect.apply(work, thisArg, args)));
  }
}

Object.assign(hooks, {
  AsyncResource: FollowedResource,
  createHook({ init }: HookCallbacks) {
    onInit = init;
    return { enable() {}, disable() {} };
  },
  executionAsyncId: () => current.getStore() ?? latest ?? executionAsyncId(),
});
// It keeps what it finds.
await import('node:test');
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
