// The way from a command to the running system: internal calls over its own socket, answers or one clear sentence.
import type { JsonObject } from '@bufbuild/protobuf';
import type { ConnectAdminRpcs } from '#proto/gen/connect.ts';
import { file_stoa_v1_connect } from '#proto/gen/es/stoa/v1/connect_pb.ts';
import { file_stoa_v1_store_admin } from '#proto/gen/es/stoa/v1/store_admin_pb.ts';
import { file_stoa_v1_value } from '#proto/gen/es/stoa/v1/value_pb.ts';
import type { StoreAdminRpcs } from '#proto/gen/store_admin.ts';
import type { LedgerAdminRpcs } from '#proto/gen/value.ts';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { connectUnary } from '#runtime/grpc/unary.ts';
import { accessEnvironment } from './environment.ts';
import { SetupError } from './local/child.ts';

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

/** Where the rpcs that commands call are. */
const FILES = [file_stoa_v1_connect, file_stoa_v1_store_admin, file_stoa_v1_value];
const TIMEOUT_MS = 10_000;

/** Calls the services host at `link` for as long as `work` runs. */
export const withAdmin = async <T>(link: string, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const client = connectUnary(link, accessEnvironment().linkToken, new ServiceRegistry(FILES));
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
