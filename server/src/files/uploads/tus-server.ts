import { Server } from '@tus/server';

const CORS = 'access-control-expose-headers';

/** Uploads take a secret token, which does not belong in a web page, so the library's CORS header is removed. */
export class TusServer extends Server {
  constructor(options: ConstructorParameters<typeof Server>[0]) {
    super(options);
    for (const handler of Object.values(this.handlers)) {
      const { send } = handler;
      handler.send = (...args) => {
        args[2]?.delete(CORS);
        return Reflect.apply(send, handler, args);
      };
    }
  }

  override write(...[context, headers, ...rest]: Parameters<Server['write']>): ReturnType<Server['write']> {
    headers.delete(CORS);
    return super.write(context, headers, ...rest);
  }
}
