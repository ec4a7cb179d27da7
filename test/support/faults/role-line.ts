import { AsyncLocalStorage } from 'node:async_hooks';
import type { Need, RolePolicy } from '../aws/iam.ts';
import { hidesMissing, s3Need } from '../aws/s3-front.ts';
import { dynamoDbNeeds } from '../engines/dynamodb-needs.ts';
import * as dialects from './dialects.ts';
import type { Dialect, Handler } from './fault-line.ts';

type Request = {
  method: string;
  path: string;
  query?: Record<string, string>;
  headers: Record<string, string>;
  body: Uint8Array | string;
};

/** The parts of the stack that roles name. */
type Names = { table: string; bucket: string; bus: string };

/** Stands between a process and AWS as IAM does: a function may do what its role allows. */
export class RoleLine {
  readonly #running = new AsyncLocalStorage<string>();
  readonly #roles: ReadonlyMap<string, RolePolicy>;
  readonly #names: Names;

  constructor(roles: ReadonlyMap<string, RolePolicy>, names: Names) {
    this.#roles = roles;
    this.#names = names;
  }

  as<T>(functionId: string, run: () => T): T {
    return this.#running.run(functionId, run);
  }

  #needsOf(dialect: Dialect, request: Request): Need[] {
    const { table, bucket, bus } = this.#names;
    switch (dialect) {
      case dialects.dynamoDb:
        return dynamoDbNeeds(
          dialects.operationOf(request),
          JSON.parse(Buffer.from(request.body as string).toString()),
          table,
        );
      case dialects.s3:
        return [s3Need(request.method, request.path, new URLSearchParams(request.query), bucket)];
      case dialects.eventBridge:
        return [{ action: 'events:PutEvents', resource: bus, keys: [] }];
      default:
        return [];
    }
  }

  wrap<H extends Handler>(handler: H, dialect: Dialect): H {
    const handle = async (request: Request, options: unknown) => {
      const id = this.#running.getStore() ?? '';
      const role = this.#roles.get(id)!;
      const needs = this.#needsOf(dialect, request);
      const refused = needs.filter((need) => !role.permits(need));
      if (refused.length > 0) throw new Error(`${id} may not do ${JSON.stringify(refused)}`);
      const handled = await handler.handle(request as never, options as never);
      const { statusCode } = handled.response as { statusCode: number };
      if (
        statusCode === 404 &&
        needs[0]?.action === 's3:GetObject' &&
        hidesMissing(role, this.#names.bucket, needs[0])
      )
        throw new Error(`${id} may not see that ${needs[0].resource} is missing`);
      return handled;
    };
    return Object.assign(Object.create(handler), { handle }) as H;
  }
}
