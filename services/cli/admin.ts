// Calls internal rpcs of the running system for a command; prints a refusal as one sentence.
import { userInfo } from 'node:os';
import type { JsonObject } from '@bufbuild/protobuf';
import { descriptors } from '#proto/descriptor.ts';
import type { ConnectAdminRpcs } from '#proto/gen/connect.ts';
import type { StaffAdminRpcs } from '#proto/gen/staff_directory.ts';
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
  readonly inviteStaff: (input: StaffAdminRpcs['Invite']['request']) => Promise<StaffAdminRpcs['Invite']['response']>;
  readonly readStaff: (
    input: StaffAdminRpcs['ReadStaff']['request'],
  ) => Promise<StaffAdminRpcs['ReadStaff']['response']>;
  readonly trialBalance: (
    input: LedgerAdminRpcs['GetTrialBalance']['request'],
  ) => Promise<LedgerAdminRpcs['GetTrialBalance']['response']>;
}

const TIMEOUT_MS = 10_000;
const UNKNOWN_USER = 'unknown';
const PRINTABLE = /^[\x21-\x7e]{1,100}$/;

/** Returns the name of the system's user, in the characters that gRPC's metadata can hold. */
const systemUser = (): string => {
  try {
    const { username } = userInfo();
    return PRINTABLE.test(username) ? username : UNKNOWN_USER;
  } catch {
    // A container's user may have no entry in the system's list of users.
    return UNKNOWN_USER;
  }
};

export const withAdmin = async <T>(link: string, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const { linkToken } = accessEnvironment();
  const client = connectUnary(link, linkToken, new ServiceRegistry(descriptors), systemUser());
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
      inviteStaff: (input) => ask('StaffAdmin/Invite', input),
      readStaff: (input) => ask('StaffAdmin/ReadStaff', input),
      trialBalance: (input) => ask('LedgerAdmin/GetTrialBalance', input),
    });
  } finally {
    client.close();
  }
};
