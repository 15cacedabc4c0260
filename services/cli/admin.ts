// The way from a command to the running system: internal calls over its own socket, answers or one clear sentence.
import type { JsonObject } from '@bufbuild/protobuf';
import type { ConnectAdminRpcs } from '#proto/gen/connect.ts';
import { descriptors } from '#proto/gen/descriptor.ts';
import type { StoreAdminRpcs } from '#proto/gen/store_admin.ts';
import type { LedgerAdminRpcs } from '#proto/gen/value.ts';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { connectUnary, ServiceRegistry } from '#runtime/grpc/unary.ts';
import { accessEnvironment } from './environment.ts';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';
import { readRunning } from './running.ts';

export interface Admin {
  readonly call: <M extends keyof StoreAdminRpcs>(
    method: M,
    input: StoreAdminRpcs[M]['request'],
  ) => Promise<StoreAdminRpcs[M]['response']>;
  readonly createClient: (
    input: ConnectAdminRpcs['CreateClient']['request'],
  ) => Promise<ConnectAdminRpcs['CreateClient']['response']>;
  readonly trialBalance: (
    input: LedgerAdminRpcs['GetTrialBalance']['request'],
  ) => Promise<LedgerAdminRpcs['GetTrialBalance']['response']>;
}

const TIMEOUT_MS = 10_000;

/** Calls the services host at `link` for as long as `work` runs. */
export const withAdmin = async <T>(link: string, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const client = connectUnary(link, accessEnvironment().linkToken, new ServiceRegistry(descriptors));
  const ask = async (rpc: string, input: object): Promise<never> => {
    const answer = await client.call(rpc, NO_TENANT, input as JsonObject, TIMEOUT_MS);
    if (!(answer instanceof Refusal)) return answer as never;
    const { param } = answer.extra;
    throw new SetupError(param ? `${answer.message} (${param})` : answer.message);
  };
  try {
    return await work({
      call: (method, input) => ask(`StoreAdmin/${method}`, input),
      createClient: (input) => ask('ConnectAdmin/CreateClient', input),
      trialBalance: (input) => ask('LedgerAdmin/GetTrialBalance', input),
    });
  } finally {
    client.close();
  }
};

/** The system that STOA_LINK names (STOA_BASE_URL is then how its edge is reached), else the one of this home. */
export const runningSystem = (): { link: string; baseUrl: string } => {
  const { link, baseUrl } = accessEnvironment();
  if (link) return { link, baseUrl };
  const home = homePath();
  const running = readRunning(home);
  if (running) return { link: running.link, baseUrl: running.base_url };
  throw new SetupError(
    `No Stoa is running in ${home}: start it with \`npm start\`, or set STOA_HOME or STOA_LINK to the one that is meant.`,
  );
};
